// The frozen patch of one file, row by row. Only the rows in view exist.
//
// Keys: arrows or j and k go from row to row, n and p from hunk to hunk, Ctrl+C copies the row.

import { ChevronDown, ChevronUp, WrapText } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { IconButton } from "../../components/Button.tsx";
import { CopyButton } from "../../components/code/CodeBlock.tsx";
import { highlight } from "../../components/code/highlighter.ts";
import { languageOfPath } from "../../components/code/languages.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { PathText } from "../../components/PathText.tsx";
import { VirtualList, type VirtualListHandle } from "../../components/VirtualList.tsx";
import { useLocale } from "../../locale/index.ts";
import { DiffLine, HunkLine, ROW_HEIGHT_PX, rowClass } from "./DiffLine.tsx";
import css from "./DiffViewer.module.css";
import { createDiffTokens } from "./diffTokens.ts";
import { type DiffRow, type FilePatch, parsePatch, patchText } from "./patch.ts";
import { columnsOf } from "./shown.ts";

export type DiffViewerProps = {
  patch: Uint8Array;
  path: string;
  /** What stands above the lines; the path if nothing is given. */
  head?: ReactNode;
};

/** Give it a `key` of what it shows, so that another patch starts at its top. */
export function DiffViewer({ patch: bytes, path, head }: DiffViewerProps) {
  const { t } = useLocale();
  const [wraps, setWraps] = useState(true);
  const [active, setActive] = useState(0);
  const list = useRef<VirtualListHandle>(null);

  const text = useMemo(() => patchText(bytes), [bytes]);
  const patch = useMemo(() => parsePatch(text), [text]);
  const { rows } = patch;
  const tokens = useMemo(
    () => createDiffTokens(rows, languageOfPath(path), highlight),
    [rows, path],
  );
  const measures = useMemo(() => measure(rows), [rows]);

  const goToHunk = (step: 1 | -1) => {
    const to = hunkFrom(rows, active, step);
    if (to === undefined) return;
    setActive(to);
    list.current?.showAtTop(to);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[active];
    if ((event.ctrlKey || event.metaKey) && event.key === "c") {
      // What was selected with the mouse is copied by the page itself.
      if (row === undefined || document.getSelection()?.isCollapsed === false) return;
      event.preventDefault();
      void navigator.clipboard.writeText(copiedText(row)).catch(() => undefined);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "j") setActive(Math.min(rows.length - 1, active + 1));
    else if (event.key === "k") setActive(Math.max(0, active - 1));
    else if (event.key === "n") goToHunk(1);
    else if (event.key === "p") goToHunk(-1);
    else return;
    event.preventDefault();
  };

  const style = { "--number": `${measures.digits}ch` };
  return (
    <div className={css.viewer}>
      <div className={css.head}>
        {head ?? <PathText path={path} />}
        <div className={css.tools}>
          <IconButton
            label={t("diff.previousHunk")}
            aria-keyshortcuts="p"
            onClick={() => goToHunk(-1)}
          >
            <ChevronUp size={15} aria-hidden="true" />
          </IconButton>
          <IconButton label={t("diff.nextHunk")} aria-keyshortcuts="n" onClick={() => goToHunk(1)}>
            <ChevronDown size={15} aria-hidden="true" />
          </IconButton>
          <IconButton label={t("diff.wrap")} aria-pressed={wraps} onClick={() => setWraps(!wraps)}>
            <WrapText size={15} aria-hidden="true" />
          </IconButton>
          <CopyButton text={text} label={t("patch.copy")} doneLabel={t("action.copied")} />
        </div>
      </div>
      <Notes patch={patch} />
      {rows.length === 0 ? (
        <EmptyState title={t("patch.emptyFile")} />
      ) : (
        <div className={`${css.lines} ${wraps ? css.wrapped : ""}`} style={style}>
          <VirtualList
            ref={list}
            items={rows}
            role="grid"
            label={t("diff.title", { path })}
            active={active}
            onActive={setActive}
            rowHeightPx={ROW_HEIGHT_PX}
            rowMinWidth={wraps ? undefined : `${measures.columns + 2 * measures.digits + 8}ch`}
            rowClass={rowClass}
            onKeyDown={onKeyDown}
            row={(row, index) =>
              row.is === "hunk" ? (
                <HunkLine row={row} line={firstLine(rows[index + 1])} t={t} />
              ) : (
                <DiffLine
                  row={row}
                  index={index}
                  rows={rows}
                  tokens={tokens}
                  t={t}
                  showEnds={patch.mixedEnds}
                />
              )
            }
          />
        </div>
      )}
    </div>
  );
}

/** What the patch says besides its lines. */
function Notes({ patch }: { patch: FilePatch }) {
  const { t } = useLocale();
  const { mode, damaged } = patch;
  return (
    <>
      {mode.is === "changed" && (
        <p className={css.note}>{t("patch.mode", { from: mode.from, to: mode.to })}</p>
      )}
      {damaged && <p className={`${css.note} ${css.damaged}`}>{t("patch.damaged")}</p>}
    </>
  );
}

function measure(rows: readonly DiffRow[]): { digits: number; columns: number } {
  const last = rows.at(-1);
  const most =
    last === undefined || last.is === "hunk" ? 0 : Math.max(last.old ?? 0, last.new ?? 0);
  const texts = rows.map((row) => (row.is === "hunk" ? "" : row.text));
  return { digits: Math.max(3, String(most).length), columns: columnsOf(texts) };
}

/** Returns the next hunk, or the one before; from within a hunk that is its own header. */
function hunkFrom(rows: readonly DiffRow[], from: number, step: 1 | -1): number | undefined {
  for (let index = from + step; index >= 0 && index < rows.length; index += step) {
    if (rows[index]?.is === "hunk") return index;
  }
  return undefined;
}

function firstLine(row: DiffRow | undefined): number {
  if (row === undefined || row.is === "hunk") return 0;
  return row.new ?? row.old ?? 0;
}

function copiedText(row: DiffRow): string {
  return row.is === "hunk" ? `@@ ${row.ranges} @@ ${row.section}`.trimEnd() : row.text;
}
