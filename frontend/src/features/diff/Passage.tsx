// Lines that would come and go, of which the place in the file is not known or is its start.

import { useMemo, useState } from "react";
import { highlight } from "../../components/code/highlighter.ts";
import { languageOfPath } from "../../components/code/languages.ts";
import { VirtualList } from "../../components/VirtualList.tsx";
import { useLocale } from "../../locale/index.ts";
import { DiffLine, ROW_HEIGHT_PX, rowClass } from "./DiffLine.tsx";
import css from "./DiffViewer.module.css";
import { createDiffTokens } from "./diffTokens.ts";
import type { LineRow } from "./patch.ts";

export type PassageProps = {
  readonly rows: readonly LineRow[];
  readonly path: string;
  readonly label: string;
};

/** About the letters of a line, to tell how high the lines are before they are there. */
const LINE_LETTERS = 72;

/** As high as its lines, up to a bound from which on it scrolls. */
export function Passage({ rows, path, label }: PassageProps) {
  const { t } = useLocale();
  const [active, setActive] = useState(-1);
  const tokens = useMemo(
    () => createDiffTokens(rows, languageOfPath(path), highlight),
    [rows, path],
  );
  const isNumbered = rows.some((it) => it.new !== undefined);
  const ends = new Set(rows.map((it) => it.end).filter((it) => it !== "none"));
  const mixedEnds = ends.size > 1;
  const style = {
    "--number": `${Math.max(3, String(rows.length).length)}ch`,
    height: useMemo(() => heightOf(rows), [rows]),
  };
  const look = isNumbered ? css.oneSided : css.unnumbered;
  return (
    <div className={`${css.passage} ${css.lines} ${css.wrapped} ${look}`} style={style}>
      <VirtualList
        items={rows}
        role="grid"
        label={label}
        active={active}
        onActive={setActive}
        rowHeightPx={ROW_HEIGHT_PX}
        rowClass={rowClass}
        row={(row, index) => (
          <DiffLine
            row={row}
            index={index}
            rows={rows}
            tokens={tokens}
            t={t}
            showEnds={mixedEnds}
          />
        )}
      />
    </div>
  );
}

function heightOf(rows: readonly LineRow[]): number {
  const lines = rows.map(({ text }) => Math.max(1, Math.ceil(text.length / LINE_LETTERS)));
  return lines.reduce((sum, it) => sum + it, 0) * ROW_HEIGHT_PX + 2;
}
