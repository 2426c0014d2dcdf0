// Which rows are read together for their colours.

import { expect, test } from "vitest";
import { createDiffTokens, type Highlight } from "./diffTokens.ts";
import { parsePatch } from "./patch.ts";

const patch = parsePatch("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n@@ -9,2 +9,2 @@\n-x\n+X\n y\n");

/** Answers with one token a line, and keeps what it was asked. */
function recorder() {
  const asked: string[] = [];
  const highlight: Highlight = (code) => {
    asked.push(code);
    return Promise.resolve(code.split("\n").map((it) => [{ length: it.length, kind: "keyword" }]));
  };
  return { asked, highlight };
}

test("a hunk is read when a row of it is seen, once, and each side for itself", async () => {
  const { asked, highlight } = recorder();
  const tokens = createDiffTokens(patch.rows, "rust", highlight);
  const changed = new Promise<void>((resolve) => tokens.subscribe(resolve));
  tokens.want(2);
  tokens.want(3);
  await changed;
  expect(asked).toEqual(["a\nb\nc", "a\nB\nc"]);
  expect([1, 2, 3, 4].map((row) => tokens.of(row)?.length)).toEqual([1, 1, 1, 1]);
  expect(tokens.of(6)).toBeUndefined();
});

test("the header of a hunk is no code", () => {
  const { asked, highlight } = recorder();
  createDiffTokens(patch.rows, "rust", highlight).want(0);
  expect(asked).toEqual([]);
});

test("without a language nothing is read", () => {
  const { asked, highlight } = recorder();
  createDiffTokens(patch.rows, undefined, highlight).want(2);
  expect(asked).toEqual([]);
});

test("a long hunk is read in parts", () => {
  const lines = Array.from({ length: 2_500 }, (_, index) => `+${index}`).join("\n");
  const long = parsePatch(`@@ -0,0 +1,2500 @@\n${lines}\n`);
  const { asked, highlight } = recorder();
  createDiffTokens(long.rows, "rust", highlight).want(1_500);
  expect(asked.map((code) => code.split("\n").length)).toEqual([250]);
});
