// The rows on both sides of the view. The virtualiser by itself keeps those ahead alone, so that a
// turn back would show a gap for a frame.

import { type RefObject, useCallback, useMemo, useState } from "react";
import type { VirtualizerHandle } from "virtua";

/** Rows come and go by so many, so that not each pixel draws the list anew. */
const STEP = 8;

/** Returns the rows to keep, and what to call when the view has moved. */
export function useBothSides(
  list: RefObject<VirtualizerHandle | null>,
  count: number,
  beyondPx: number,
): { kept: readonly number[]; moved: () => void } {
  const [range, setRange] = useState({ from: 0, to: 0 });
  const moved = useCallback(() => {
    if (list.current === null) return;
    const { findItemIndex, scrollOffset, viewportSize } = list.current;
    const first = findItemIndex(scrollOffset - beyondPx);
    const last = findItemIndex(scrollOffset + viewportSize + beyondPx);
    const from = Math.floor(first / STEP) * STEP;
    const to = Math.ceil((last + 1) / STEP) * STEP;
    setRange((it) => (it.from === from && it.to === to ? it : { from, to }));
  }, [list, beyondPx]);
  const kept = useMemo(() => {
    const length = Math.max(0, Math.min(range.to, count) - range.from);
    return Array.from({ length }, (_, at) => range.from + at);
  }, [range, count]);
  return { kept, moved };
}
