// The lines of a file that were read, drawn to scale. Its name says the same in words.

import type { LineRange } from "../../bindings.ts";
import css from "./ReadsArea.module.css";

export type CoverageStripProps = {
  readonly covered: readonly LineRange[];
  /** How many lines there are. Where that is not known there is no scale, and no strip (RS-5). */
  readonly total: number;
  readonly label: string;
};

export function CoverageStrip({ covered, total, label }: CoverageStripProps) {
  return (
    <span className={css.strip} role="img" aria-label={label} title={label}>
      {covered.map(([start, end]) => (
        <span key={start} className={css.part} style={placeOf(start, end, total)} />
      ))}
    </span>
  );
}

/** Lines beyond the end, which a file that changed can have had, are not drawn. */
function placeOf(start: number, end: number, total: number) {
  const share = (lines: number) => `${(100 * Math.min(lines, total)) / total}%`;
  return { left: share(start), width: share(Math.min(end, total) - Math.min(start, total)) };
}
