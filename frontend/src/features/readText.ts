// How far a file was read, and why no further, in words: lines counted from 1, the last among them.

import type { LineRange } from "../bindings.ts";
import type { Format, Translate } from "../locale/index.ts";
import { pauseGroup, type ReadRow } from "../state/readStatus.ts";

/** On a line that has little room, more ranges are counted, not named. */
const NAMED_RANGES = 4;

/** What of the file was read; without a total none is claimed (RS-5). */
export function coveredText(row: ReadRow, t: Translate, format: Format, named?: number): string {
  const { covered, total } = row;
  if (total === 0) return t("reads.emptyFile");
  const [first] = covered;
  if (first === undefined) {
    return total === undefined ? t("reads.nothing") : t("reads.nothingOf", { count: total });
  }
  if (first[0] === 0 && first[1] === total) return t("reads.whole", { count: total });
  return inRanges(covered, t, format, named, (count, ranges) =>
    total === undefined
      ? t("reads.lines", { count, ranges })
      : t("reads.linesOf", { count, ranges, total }),
  );
}

/** What is asked for and was not read; `undefined` where nothing can be said. */
export function missingText(
  missing: readonly LineRange[],
  t: Translate,
  format: Format,
): string | undefined {
  if (missing.length === 0) return undefined;
  return inRanges(missing, t, format, undefined, (count, ranges) =>
    t("reads.missing", { count, ranges }),
  );
}

/** All the lines by their numbers, and nothing else. */
export function linesText(ranges: readonly LineRange[], t: Translate, format: Format): string {
  return inRanges(ranges, t, format, ranges.length, (count, text) =>
    t("reads.lines", { count, ranges: text }),
  );
}

/** Why a read that paused does not go on, in a word or two. */
export function pauseText({ reason }: ReadRow, t: Translate): string {
  return t(`reads.why.${reason === undefined ? "open" : pauseGroup(reason)}`);
}

function inRanges(
  ranges: readonly LineRange[],
  t: Translate,
  format: Format,
  named = NAMED_RANGES,
  say: (lines: number, ranges: string) => string,
): string {
  const lines = ranges.reduce((sum, [start, end]) => sum + end - start, 0);
  const text = say(lines, format.ranges(ranges.slice(0, named)));
  const more = ranges.length - named;
  return more > 0 ? `${text} · ${t("reads.moreRanges", { count: more })}` : text;
}
