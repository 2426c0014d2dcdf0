// The sizes that the page goes through.

const SIZES_PERCENT = [50, 67, 80, 90, 100, 110, 125, 150, 175, 200];
const FIRST_PERCENT = 100;

/** Returns the next size in a direction, or the first size for none; it stops at both ends. */
export function zoomAfter(percent: number, by: 1 | -1 | 0): number {
  if (by === 0) return FIRST_PERCENT;
  const next = by === 1 ? SIZES_PERCENT.find((it) => it > percent) : undefined;
  const before = by === -1 ? SIZES_PERCENT.findLast((it) => it < percent) : undefined;
  return next ?? before ?? percent;
}
