// The words are marked as they stand in the text, and no letter is lost.

import { expect, test } from "vitest";
import { marked } from "./searchMarks.ts";

const shown = (text: string, words: string[]) =>
  marked(text, words)
    .map((it) => (it.isMatch ? `[${it.text}]` : it.text))
    .join("");

test.each([
  ["Port the CSV importer", ["csv", "port"], "[Port] the [CSV] im[port]er"],
  ["a+b (c) [d] a.b", ["a+b", "(c)", "[d]"], "[a+b] [(c)] [[d]] a.b"],
  ["tests test", ["test", "tests"], "[tests] [test]"],
  ["把令牌改名", ["令牌"], "把[令牌]改名"],
  ["C:\\src\\a-b/c", ["\\src", "a-b/c"], "C:[\\src]\\[a-b/c]"],
  ["Orange", ["range", "ora"], "[Orange]"],
  ["nothing", [""], "nothing"],
])("%s for %j", (text, words, expected) => {
  expect(shown(text, words)).toBe(expected);
});
