// What stands beside what, and that nothing is lost on the way.

import { expect, test } from "vitest";
import { parsePatch } from "./patch.ts";
import { rowAt, sideOf, sidesOf } from "./sides.ts";

const patch = `diff --git a/a b/a
--- a/a
+++ b/a
@@ -1,5 +1,5 @@
 same
-one
-two
-three
+ONE
+TWO
 end
+more
`;

test("a line that takes the place of another stands beside it, all others alone", () => {
  const { rows } = parsePatch(patch);
  const sides = sidesOf(rows);
  const text = (index: number | undefined) => {
    const row = index === undefined ? undefined : rows[index];
    return row === undefined || row.is === "hunk" ? "" : row.text;
  };
  const shown = sides.map((it) => (it.is === "hunk" ? "@@" : [text(it.old), text(it.new)]));
  expect(shown).toEqual([
    "@@",
    ["same", "same"],
    ["one", "ONE"],
    ["two", "TWO"],
    ["three", ""],
    ["end", "end"],
    ["", "more"],
  ]);
});

test("each row of the diff has its place, and leads back to its line", () => {
  const { rows } = parsePatch(patch);
  const sides = sidesOf(rows);
  for (const [index] of rows.entries()) {
    const at = sides[sideOf(sides, index)];
    const here = at?.is === "hunk" ? [at.row] : [at?.old, at?.new];
    expect(here).toContain(index);
  }
  expect(sides.map((_, at) => sideOf(sides, rowAt(sides, at)))).toEqual(sides.map((_, at) => at));
});
