// One row of a diff. What was added or removed is said by sign, by word, by role, and by colour.

import { type ReactNode, useEffect, useMemo, useSyncExternalStore } from "react";
import { CodeLine } from "../../components/code/CodeLine.tsx";
import { GridCell } from "../../components/GridCell.tsx";
import { Hidden } from "../../components/Hidden.tsx";
import type { Translate } from "../../locale/index.ts";
import css from "./DiffViewer.module.css";
import type { DiffTokens } from "./diffTokens.ts";
import type { DiffRow, HunkRow, LineRow } from "./patch.ts";
import { SHOWN_LIMIT_CHARS, shownText } from "./shown.ts";
import { wordMarks } from "./words.ts";

/** The height of a row that does not wrap. */
export const ROW_HEIGHT_PX = 19;

export function rowClass(row: DiffRow): string {
  const known = { hunk: css.hunk, context: css.line, added: css.added, removed: css.removed }[
    row.is
  ];
  return row.is === "added" || row.is === "removed" ? `${css.line} ${known}` : (known ?? "");
}

export type DiffLineProps = {
  row: LineRow;
  index: number;
  rows: readonly DiffRow[];
  tokens: DiffTokens;
  /** Handed down: a hook of its own in each row is felt when scrolling. */
  t: Translate;
  /** Say what ends a line; it is worth it where they end in several ways. */
  showEnds: boolean;
};

export function DiffLine(props: DiffLineProps) {
  const { row, t } = props;
  return (
    <>
      <GridCell look={`${css.number} ${css.old}`}>{row.old}</GridCell>
      <GridCell look={`${css.number} ${css.new}`}>{row.new}</GridCell>
      <Sign is={row.is} t={t} />
      <Code {...props} />
    </>
  );
}

/** One side of a row of both; without a line the side is empty. */
export function DiffSide(props: Omit<DiffLineProps, "row"> & { side: "old" | "new" }) {
  const { side, index, rows, t } = props;
  const row = rows[index];
  if (row === undefined || row.is === "hunk") {
    return <GridCell look={`${css.side} ${css.empty}`}>{null}</GridCell>;
  }
  const change = row.is === "context" ? "" : (css[row.is] ?? "");
  return (
    <div className={`${css.side} ${change}`} role="presentation">
      <GridCell look={css.number}>{row[side]}</GridCell>
      <Sign is={row.is} t={t} />
      <Code {...props} row={row} />
    </div>
  );
}

/** Calls once the next frame is painted: the lines need not wait for their colours. */
function afterPaint(call: () => void): () => void {
  let painted: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    painted = setTimeout(call);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(painted);
  };
}

function Code({ row, index, rows, tokens, t, showEnds }: DiffLineProps) {
  const coloured = useSyncExternalStore(tokens.subscribe, () => tokens.of(index));
  useEffect(() => afterPaint(() => tokens.want(index)), [tokens, index]);
  const marks = useMemo(() => marksOf(row, rows), [row, rows]);
  const more = row.text.length - SHOWN_LIMIT_CHARS;
  const code = <CodeLine text={shownText(row.text)} tokens={coloured} marks={marks} />;
  return (
    <GridCell look={css.code}>
      {row.is === "added" && <ins>{code}</ins>}
      {row.is === "removed" && <del>{code}</del>}
      {row.is === "context" && code}
      {more > 0 && <Aside>… {t("patch.moreCharacters", { count: more })}</Aside>}
      {showEnds && row.end === "crlf" && <Aside>{t("patch.crlf")}</Aside>}
      {row.end === "none" && <Aside>{t("diff.noNewline")}</Aside>}
    </GridCell>
  );
}

function Aside({ children }: { children: ReactNode }) {
  return <span className={css.aside}> {children}</span>;
}

function Sign({ is, t }: { is: LineRow["is"]; t: Translate }) {
  const [sign, word] = {
    added: ["+", t("diff.lineAdded")],
    removed: ["−", t("diff.lineRemoved")],
    context: ["", ""],
  }[is];
  return (
    <GridCell look={css.sign}>
      {word !== "" && <Hidden>{word}</Hidden>}
      <span aria-hidden="true">{sign}</span>
    </GridCell>
  );
}

function marksOf(row: LineRow, rows: readonly DiffRow[]) {
  const other = row.pair === undefined ? undefined : rows[row.pair];
  if (other === undefined || other.is === "hunk") return undefined;
  if (row.is === "removed") return wordMarks(row.text, other.text)?.old;
  return wordMarks(other.text, row.text)?.new;
}

/** The line above a hunk: where it is, and what is left out before it. */
export function HunkLine({ row, line, t }: { row: HunkRow; line: number; t: Translate }) {
  return (
    <GridCell look={css.hunkText}>
      <Hidden>{t("diff.hunk", { line })}</Hidden>
      <span className={css.ranges} aria-hidden="true">
        @@ {row.ranges} @@ {shownText(row.section)}
      </span>
      {row.hidden > 0 && <Aside>{t("patch.hidden", { count: row.hidden })}</Aside>}
    </GridCell>
  );
}
