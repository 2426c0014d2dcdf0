// The sizes are gone through one by one, and end.

import { expect, test } from "vitest";
import { zoomAfter } from "./zoom.ts";

test("each step is the next size, also from one between two", () => {
  expect([zoomAfter(100, 1), zoomAfter(100, -1), zoomAfter(120, 1), zoomAfter(120, -1)]).toEqual([
    110, 90, 125, 110,
  ]);
});

test("it ends at both ends, and goes back to the first size", () => {
  expect([zoomAfter(200, 1), zoomAfter(50, -1), zoomAfter(175, 0)]).toEqual([200, 50, 100]);
});
