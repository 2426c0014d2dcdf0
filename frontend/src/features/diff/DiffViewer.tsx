// The frozen patch of one file, row by row. Only the rows in view exist.
//
// Keys: arrows or j and k go from row to row, n and p from hunk to hunk, Ctrl+C copies the row.

import { ChevronDown, ChevronUp, Columns2, WrapText } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { IconButton } from "../../components/Button.tsx";
import { CopyButton } from "../../components/code/CodeBlock.tsx";
import { highlight } from "../../components/code/highlighter.ts";
import { languageOfPath } from "../../components/code/languages.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { PathText } from "../../components/PathText.tsx";
import { VirtualList, type VirtualListHandle } from "../../components/VirtualList.tsx";
import { useLocale } from "../../locale/index.ts";
import { DiffLine, DiffSide, HunkLine, ROW_HEIGHT_PX, rowClass } from "./DiffLine.tsx";
import css from "./DiffViewer.module.css";
import { createDiffTokens } from "./diffTokens.ts";
import { type DiffRow, type FilePatch, parsePatch, patchText } from "./patch.ts";
import { columnsOf } from "./shown.ts";
import { rowAt, type SidesRow, sideOf, sidesOf } from "./sides.ts";

export type DiffViewerProps = {
  patch: Uint8Array;
  path: string;
  /** What stands above the lines; the path if nothing is given. */
  head?: ReactNode;
  /** One more button above the lines. */
  tool?: ReactNode;
  /** What is shown in place of the lines. */
  instead?: ReactNode;
  /** Old and new side by side; kept by the owner, so that the next file is shown alike. */
  isSplit?: boolean;
  onSplit?: ((isSplit: boolean) => void) | undefined;
};

/** Give it a `key` of what it shows, so that another patch starts at its top. */
export function DiffViewer(props: DiffViewerProps) {
  const { patch: bytes, path, head, tool, instead, isSplit = false, onSplit } = props;
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
  const sides = useMemo(() => (isSplit ? sidesOf(rows) : undefined), [rows, isSplit]);
  // The keys act on rows of the diff, whichever way they are shown.
  const shown = sides === undefined ? active : sideOf(sides, active);
  const show = (at: number) => setActive(sides === undefined ? at : rowAt(sides, at));
  const count = sides?.length ?? rows.length;

  const goToHunk = (step: 1 | -1) => {
    const to = hunkFrom(rows, active, step);
    if (to === undefined) return;
    setActive(to);
    list.current?.showAtTop(sides === undefined ? to : sideOf(sides, to));
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
    if (event.key === "j") show(Math.min(count - 1, shown + 1));
    else if (event.key === "k") show(Math.max(0, shown - 1));
    else if (event.key === "n") goToHunk(1);
    else if (event.key === "p") goToHunk(-1);
    else return;
    event.preventDefault();
  };

  const hunkLine = (index: number) => {
    const row = rows[index];
    if (row?.is !== "hunk") return null;
    return <HunkLine row={row} line={firstLine(rows[index + 1])} t={t} />;
  };
  const lineProps = (index: number) => ({ index, rows, tokens, t, showEnds: patch.mixedEnds });
  const listProps = {
    ref: list,
    role: "grid" as const,
    label: t("diff.title", { path }),
    active: shown,
    onActive: show,
    rowHeightPx: ROW_HEIGHT_PX,
    onKeyDown,
  };
  const style = { "--number": `${measures.digits}ch` };
  const tools = (
    <>
      <IconButton label={t("diff.previousHunk")} aria-keyshortcuts="p" onClick={() => goToHunk(-1)}>
        <ChevronUp size={15} aria-hidden="true" />
      </IconButton>
      <IconButton label={t("diff.nextHunk")} aria-keyshortcuts="n" onClick={() => goToHunk(1)}>
        <ChevronDown size={15} aria-hidden="true" />
      </IconButton>
      {onSplit !== undefined && (
        <IconButton
          label={t("diff.split")}
          aria-pressed={isSplit}
          onClick={() => onSplit(!isSplit)}
        >
          <Columns2 size={15} aria-hidden="true" />
        </IconButton>
      )}
      <IconButton label={t("diff.wrap")} aria-pressed={wraps} onClick={() => setWraps(!wraps)}>
        <WrapText size={15} aria-hidden="true" />
      </IconButton>
    </>
  );
  const lines =
    rows.length === 0 ? (
      <EmptyState title={t("patch.emptyFile")} />
    ) : (
      <div className={`${css.lines} ${wraps ? css.wrapped : ""}`} style={style}>
        {sides === undefined ? (
          <VirtualList
            {...listProps}
            items={rows}
            rowMinWidth={wraps ? undefined : `${measures.columns + 2 * measures.digits + 8}ch`}
            rowClass={rowClass}
            row={(row, index) =>
              row.is === "hunk" ? hunkLine(index) : <DiffLine row={row} {...lineProps(index)} />
            }
          />
        ) : (
          <VirtualList
            {...listProps}
            items={sides}
            rowMinWidth={wraps ? undefined : `${2 * (measures.columns + measures.digits) + 14}ch`}
            rowClass={sidesClass}
            row={(it) =>
              it.is === "hunk" ? (
                hunkLine(it.row)
              ) : (
                <>
                  <DiffSide side="old" {...lineProps(it.old ?? NO_ROW)} />
                  <DiffSide side="new" {...lineProps(it.new ?? NO_ROW)} />
                </>
              )
            }
          />
        )}
      </div>
    );
  return (
    <div className={css.viewer}>
      <div className={css.head}>
        {head ?? <PathText path={path} />}
        <div className={css.tools}>
          {instead === undefined && tools}
          <CopyButton text={text} label={t("patch.copy")} doneLabel={t("action.copied")} />
          {tool}
        </div>
      </div>
      {instead === undefined && <Notes patch={patch} />}
      {instead ?? lines}
    </div>
  );
}

/** A side that has no line. */
const NO_ROW = -1;

function sidesClass(row: SidesRow): string {
  return (row.is === "hunk" ? css.hunk : css.sides) ?? "";
}

/** What the patch says besides its lines. */
function Notes({ patch }: { patch: FilePatch }) {
  const { t } = useLocale();
  const { mode, encoding, damaged } = patch;
  return (
    <>
      {encoding !== undefined && <p className={css.note}>{t("patch.encoding", { encoding })}</p>}
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
