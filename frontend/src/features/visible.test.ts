// What is asked about can be seen to the last character (PM-4).

import { expect, test } from "vitest";
import { visibleParts } from "./visible.ts";

const shown = (text: string) =>
  visibleParts(text)
    .map((part) => (part.code === undefined ? part.text : `[${part.text}]`))
    .join("");

test("a plain command is left as it is", () => {
  expect(shown("cargo test --lib 'größe 中文'")).toBe("cargo test --lib 'größe 中文'");
});

test("an escape sequence and a carriage return are named", () => {
  expect(shown("echo \u001b[2K\rls")).toBe("echo [U+001B][2K[U+000D]ls");
});

test("marks of direction, joiners and other spaces are named", () => {
  expect(shown("rm \u202efdp.txt\u200b\u00a0x")).toBe("rm [U+202E]fdp.txt[U+200B][U+00A0]x");
});

test("a line break is shown and still breaks the line", () => {
  expect(shown("a\n\tb")).toBe("a[⏎\n][⇥]b");
});
