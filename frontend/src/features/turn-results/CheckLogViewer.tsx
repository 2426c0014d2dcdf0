// What a check printed, line by line. Only the lines in view exist; nothing is run to show it (LG-5).

import { WrapText } from "lucide-react";
import { useMemo, useState } from "react";
import type { CheckLog } from "../../backend/backend.ts";
import { IconButton } from "../../components/Button.tsx";
import { CopyButton } from "../../components/code/CodeBlock.tsx";
import { GridCell } from "../../components/GridCell.tsx";
import { VirtualList } from "../../components/VirtualList.tsx";
import { useLocale } from "../../locale/index.ts";
import css from "./CheckLogViewer.module.css";
import { type LogPiece, leftOut, logLines } from "./logLines.ts";

/** Lines of the box before it scrolls. */
const MOST_LINES = 24;
const LINE_HEIGHT_PX = 19;

/** Give it a `key` of what it shows, so that another log starts at its end. */
export function CheckLogViewer({ log, label }: { log: CheckLog; label: string }) {
  const { t, format } = useLocale();
  const [wraps, setWraps] = useState(true);
  const { lines, pieces } = useMemo(() => logLines(log.text), [log.text]);
  // What failed stands at the end.
  const [active, setActive] = useState(lines.length - 1);
  if (lines.length === 0) return <p className={css.note}>{t("step.noOutput")}</p>;
  const digits = String(lines.length).length;
  const style = { "--lines": Math.min(lines.length, MOST_LINES), "--number": `${digits}ch` };
  const sizes = { shown: format.size(log.shownBytes), total: format.size(log.totalBytes) };
  return (
    <div className={css.viewer}>
      <div className={css.tools}>
        {log.isCut && <span className={css.note}>{t("log.cut", sizes)}</span>}
        <IconButton label={t("diff.wrap")} aria-pressed={wraps} onClick={() => setWraps(!wraps)}>
          <WrapText size={15} aria-hidden="true" />
        </IconButton>
        <CopyButton text={log.text} label={t("log.copy")} doneLabel={t("action.copied")} />
      </div>
      <div className={`${css.lines} ${wraps ? css.wrapped : ""}`} style={style}>
        <VirtualList
          items={lines}
          role="grid"
          label={label}
          active={active}
          onActive={setActive}
          rowHeightPx={LINE_HEIGHT_PX}
          rowMinWidth={wraps ? undefined : `${longest(lines) + digits + 4}ch`}
          row={(line, index) => (
            <div className={css.line}>
              <GridCell look={css.number}>{index + 1}</GridCell>
              <GridCell look={css.text}>
                <Pieces pieces={pieces(index)} />
                {leftOut(line) > 0 && (
                  <span className={css.note}>
                    {" "}
                    {t("patch.moreCharacters", { count: leftOut(line) })}
                  </span>
                )}
              </GridCell>
            </div>
          )}
        />
      </div>
    </div>
  );
}

/** The colours of a terminal in ours: each holds in both themes. */
const looks: Record<string, string | undefined> = {
  black: css.muted,
  red: css.red,
  green: css.green,
  yellow: css.yellow,
  blue: css.blue,
  magenta: css.magenta,
  cyan: css.blue,
};

function Pieces({ pieces }: { pieces: readonly LogPiece[] }) {
  return pieces.map((piece, index) => {
    const look = [looks[piece.colour ?? ""], piece.isBold ? css.bold : undefined];
    const name = look.filter((it) => it !== undefined).join(" ");
    return name === "" ? (
      piece.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one line keep their places.
      <span key={index} className={name}>
        {piece.text}
      </span>
    );
  });
}

function longest(lines: readonly string[]): number {
  return lines.reduce((most, line) => Math.max(most, line.length - leftOut(line)), 0);
}
