// The rows on both sides of the view, as the view moves and as rows come in front.

import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Row } from "../../state/transcript.ts";
import { useBothSides } from "./useBothSides.ts";

const ROW_PX = 40;
const rowsOf = (from: number, to: number): Row[] =>
  Array.from({ length: to - from }, (_, at) => ({
    is: "stopped",
    key: `${from + at}`,
    turn: from + at,
  }));
const places = (scrollOffset: number) => ({
  scrollOffset,
  viewportSize: 10 * ROW_PX,
  findItemIndex: (px: number) => Math.max(0, Math.floor(px / ROW_PX)),
});
const keptKeys = (rows: readonly Row[], kept: readonly number[]) =>
  kept.map((index) => rows[index]?.key);

test("AN-33: rows are kept before and behind the view", () => {
  const list = { current: places(100 * ROW_PX) };
  const rows = rowsOf(0, 300);
  const { result } = renderHook(() => useBothSides(list, rows, 20 * ROW_PX));
  act(() => result.current.moved());
  expect(result.current.kept[0]).toBe(80);
  expect(result.current.kept.at(-1)).toBe(135);
});

test("AN-33: the same rows are kept when others come in front of them", () => {
  const list = { current: places(2 * ROW_PX) };
  const newer = rowsOf(80, 160);
  const hook = renderHook(({ rows }) => useBothSides(list, rows, 20 * ROW_PX), {
    initialProps: { rows: newer },
  });
  act(() => hook.result.current.moved());
  const before = keptKeys(newer, hook.result.current.kept);
  const all = rowsOf(0, 160);
  hook.rerender({ rows: all });
  expect(keptKeys(all, hook.result.current.kept)).toEqual(before);
  hook.rerender({ rows: all });
  expect(keptKeys(all, hook.result.current.kept)).toEqual(before);
});
