// Which words of a changed line are marked.

import { expect, test } from "vitest";
import { wordMarks } from "./words.ts";

/** Both lines with `[…]` around what is marked; `undefined` if nothing helps. */
function marked(before: string, after: string): [string, string] | undefined {
  const marks = wordMarks(before, after);
  if (marks === undefined) return undefined;
  const drawn = (text: string, of: readonly { from: number; to: number }[]) =>
    of.reduceRight(
      (rest, { from, to }) => `${rest.slice(0, from)}[${rest.slice(from, to)}]${rest.slice(to)}`,
      text,
    );
  return [drawn(before, marks.old), drawn(after, marks.new)];
}

test("a part of a name is marked", () => {
  expect(marked("pub fn validate_token(&self) {", "pub fn verify_token(&self) {")).toEqual([
    "pub fn [validate]_token(&self) {",
    "pub fn [verify]_token(&self) {",
  ]);
});

test("humps of a name are words", () => {
  expect(marked("let parseHTML = readLine()", "let parseJSON = readLines()")).toEqual([
    "let parse[HTML] = read[Line]()",
    "let parse[JSON] = read[Lines]()",
  ]);
});

test("what was put in is marked on one side only", () => {
  expect(marked("call(a)", "call(a, b)")).toEqual(["call(a)", "call(a[, b])"]);
});

test("marks with nothing but blanks between them are one", () => {
  expect(marked("return one two three to;", "return un deux trois to;")?.[0]).toBe(
    "return [one two three] to;",
  );
});

test("characters of Chinese are words", () => {
  expect(marked("标题：本轮结果", "标题：上轮结果")).toEqual([
    "标题：[本]轮结果",
    "标题：[上]轮结果",
  ]);
});

test("only the indentation changed", () => {
  expect(marked("  return value;", "    return value;")).toEqual([
    "[  ]return value;",
    "[    ]return value;",
  ]);
});

test("equal lines have no marks", () => {
  expect(marked("same", "same")).toEqual(["same", "same"]);
});

test("lines that share little get no marks", () => {
  expect(marked("import os", "def main(argv):")).toBeUndefined();
});

test("a long line gets no marks", () => {
  const long = "word ".repeat(300);
  expect(marked(`${long}a`, `${long}b`)).toBeUndefined();
});

test("many differing words get no marks", () => {
  const words = (letter: string) => Array.from({ length: 240 }, () => letter).join(",");
  expect(marked(words("a"), words("b"))).toBeUndefined();
});
