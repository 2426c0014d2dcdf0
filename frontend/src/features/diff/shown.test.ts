// Lines are shown whole in meaning: nothing hidden, nothing endless.

import { expect, test } from "vitest";
import { columnsOf, SHOWN_LIMIT_CHARS, shownText } from "./shown.ts";

test("controls get a picture, and a tab stays a tab", () => {
  expect(shownText("a\u001b[0m\tb\rc\u007f")).toBe("a␛[0m\tb␍c␡");
});

test("marks of direction cannot reorder a line", () => {
  expect(shownText("if (\u202eadmin\u2066)")).toBe("if (\ufffdadmin\ufffd)");
});

test("what has no width cannot hide", () => {
  expect(shownText("a\u200bb\ufeffc\u00add\u200de\u2060")).toBe(
    "a\ufffdb\ufffdc\ufffdd\ufffde\ufffd",
  );
});

test("every character keeps its place", () => {
  const text = "a\u0000b\u202ec";
  expect(shownText(text)).toHaveLength(text.length);
});

test("letters of every script stay as they are", () => {
  const text = "größe 中文 عربي می\u200cروم 👩‍👩‍👧";
  expect(shownText(text)).toBe(text);
});

test("an endless line is cut", () => {
  expect(shownText("x".repeat(10_000))).toHaveLength(SHOWN_LIMIT_CHARS);
});

test("tabs and wide characters take more columns", () => {
  expect(columnsOf(["abc", "\ta", "中文字"])).toBe(6);
  expect(columnsOf([])).toBe(0);
});
