// What a log's lines look like, and that only what is asked for is coloured.

import { expect, test } from "vitest";
import { LINE_CHARS, type LogPiece, leftOut, logLines } from "./logLines.ts";

const esc = "\u001b";
const shown = (pieces: readonly LogPiece[]) =>
  pieces.map((it) => `${it.colour ?? ""}${it.isBold ? "!" : ""}:${it.text}`);
const texts = (text: string) => {
  const { lines, pieces } = logLines(text);
  return lines.map((_, index) => shown(pieces(index)));
};

test("a plain log is its lines", () => {
  expect(texts("a\nb\n\nc")).toEqual([[":a"], [":b"], [":"], [":c"]]);
  expect(logLines("").lines).toEqual([]);
});

test("a colour holds over the end of its line, until it is reset", () => {
  const log = `${esc}[1;31mred\nstill${esc}[0m plain\n${esc}[92mbright\n${esc}[mplain`;
  expect(texts(log)).toEqual([
    ["red!:red"],
    ["red!:still", ": plain"],
    ["green:bright"],
    [":plain"],
  ]);
});

test("a line has the colours from above it, whichever line is asked for first", () => {
  const starts = ["", "[31m", "", "[1m", "[0m[32m", "", "[m", ""];
  const line = (code: string, index: number) => `${code.replaceAll("[", `${esc}[`)}${index}`;
  const log = [...starts, ...starts].map(line).join("\n");
  const inOrder = texts(log);
  expect(inOrder.slice(0, 8).flat().join(" ")).toBe(":0 red:1 red:2 red!:3 green:4 green:5 :6 :7");
  for (const first of inOrder.keys()) {
    const { pieces } = logLines(log);
    expect(shown(pieces(first))).toEqual(inOrder[first]);
    expect(inOrder.map((_, index) => shown(pieces(index)))).toEqual(inOrder);
  }
});

test("what would move, hide or rename anything is dropped (UI-30)", () => {
  const log = `${esc}[2J${esc}[1;1Ha${esc}]0;title\u0007b${esc}]8;;http://x${esc}\\c${esc}(Bd`;
  expect(texts(log)).toEqual([[":abcBd"]]);
});

test("a line that was written over shows what it came to", () => {
  expect(texts("10%\r50%\r100%\r\nend\r\n")).toEqual([[":100%"], [":end"]]);
});

test("a very long line is cut, and says by how much", () => {
  const line = "x".repeat(LINE_CHARS + 7);
  expect(texts(line)[0]?.[0]).toHaveLength(LINE_CHARS + 1);
  expect(leftOut(line)).toBe(7);
});
