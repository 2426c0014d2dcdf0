// The rows on both sides of the view. The virtualiser by itself keeps those ahead alone, so that a
// turn back would show a gap for a frame.

import { type RefObject, useCallback, useMemo, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Row } from "../../state/transcript.ts";

/** Rows come and go by so many, so that not each pixel draws the list anew. */
const STEP = 8;

/** Which rows are kept, counted from the one that was the first when the view last moved. */
type Range = { readonly first: string | undefined; readonly from: number; readonly to: number };

/** What it asks the virtualiser. */
type Places = Pick<VirtualizerHandle, "findItemIndex" | "scrollOffset" | "viewportSize">;

/** Returns the rows to keep, and what to call when the view has moved. */
export function useBothSides(
  list: RefObject<Places | null>,
  rows: readonly Row[],
  beyondPx: number,
): { kept: readonly number[]; moved: () => void } {
  const [range, setRange] = useState<Range>({ first: undefined, from: 0, to: 0 });
  const listed = useRef(rows);
  listed.current = rows;
  const moved = useCallback(() => {
    if (list.current === null) return;
    const { findItemIndex, scrollOffset, viewportSize } = list.current;
    const begin = findItemIndex(scrollOffset - beyondPx);
    const end = findItemIndex(scrollOffset + viewportSize + beyondPx) + 1;
    const first = listed.current[0]?.key;
    const from = Math.floor(begin / STEP) * STEP;
    const to = Math.ceil(end / STEP) * STEP;
    setRange((it) =>
      it.first === first && it.from === from && it.to === to ? it : { first, from, to },
    );
  }, [list, beyondPx]);
  const kept = useMemo(() => {
    const before = Math.max(
      0,
      rows.findIndex((it) => it.key === range.first),
    );
    const from = range.from + before;
    const length = Math.max(0, Math.min(range.to + before, rows.length) - from);
    return Array.from({ length }, (_, at) => from + at);
  }, [range, rows]);
  return { kept, moved };
}
