// Code: which language it is in, its tokens, and how it is put on the page.

import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test } from "vitest";
import { CodeBlock } from "./CodeBlock.tsx";
import { CodeLine } from "./CodeLine.tsx";
import { languageNamed, languageOfPath } from "./languages.ts";
import { tokenise } from "./tokenise.ts";
import { pieces } from "./tokens.ts";

test.each([
  ["src/auth.rs", "rust"],
  ["web/App.tsx", "tsx"],
  ["Dockerfile", "dockerfile"],
  ["build/Makefile", "make"],
  ["notes", undefined],
  [".gitignore", undefined],
  ["data.unknown", undefined],
  ["x.constructor", undefined],
  ["a.PY", "python"],
])("the file %s is %s", (path, language) => {
  expect(languageOfPath(path)).toBe(language);
});

test("fences name languages in several ways", () => {
  expect(["ts", "sh", "YAML", "rust", "klingon", "__proto__"].map(languageNamed)).toEqual([
    "typescript",
    "shellscript",
    "yaml",
    "rust",
    undefined,
    undefined,
  ]);
});

test("a grammar gives every line its tokens, and their lengths are the line's", async () => {
  const code = 'fn main() {\n    // says it\n    println!("hi");\n}';
  const lines = await tokenise(code, "rust");
  const lengths = lines.map((line) => line.reduce((sum, token) => sum + token.length, 0));
  expect(lengths).toEqual(code.split("\n").map((line) => line.length));
  expect(lines[0]?.[0]).toEqual({ length: 2, kind: "keyword" });
  expect(lines[1]?.some((token) => token.kind === "comment")).toBe(true);
  expect(lines[2]?.some((token) => token.kind === "string")).toBe(true);
});

describe("a line is cut", () => {
  const tokens = [
    { length: 2, kind: "keyword" },
    { length: 1, kind: "plain" },
    { length: 4, kind: "function" },
  ] as const;

  test("where its kind changes", () => {
    expect(pieces("fn name()", tokens, []).map((it) => [it.text, it.kind])).toEqual([
      ["fn", "keyword"],
      [" ", "plain"],
      ["name", "function"],
      ["()", "plain"],
    ]);
  });

  test("and where a mark begins or ends, even within a token", () => {
    const cut = pieces("fn name()", tokens, [{ from: 5, to: 8 }]);
    expect(cut.map((it) => [it.text, it.marked])).toEqual([
      ["fn", false],
      [" ", false],
      ["na", false],
      ["me", true],
      ["(", true],
      [")", false],
    ]);
  });

  test("never beyond its end", () => {
    const cut = pieces("ab", [{ length: 9, kind: "string" }], [{ from: 1, to: 7 }]);
    expect(cut.map((it) => it.text)).toEqual(["a", "b"]);
    expect(pieces("", [], [])).toEqual([]);
  });
});

test("marked words are marks", () => {
  const { container } = render(
    <CodeLine
      text="let a = 1"
      tokens={[{ length: 3, kind: "keyword" }]}
      marks={[{ from: 4, to: 5 }]}
    />,
  );
  expect(container).toHaveTextContent("let a = 1");
  expect(screen.getByText("a").closest("mark")).not.toBeNull();
});

test("a block of code is there at once, can be scrolled by keys, and copied", async () => {
  const user = userEvent.setup();
  const code = "fn main() {}\n";
  render(
    <CodeBlock
      code={code}
      language="rust"
      label="Code, rust"
      copyLabel="Copy"
      copiedLabel="Copied"
    />,
  );
  const block = screen.getByRole("region", { name: "Code, rust" });
  expect(block).toHaveTextContent("fn main() {}");
  await user.tab();
  expect(block).toContainElement(screen.getByText("fn main() {}"));
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect(await screen.findByRole("button", { name: "Copied" })).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe(code);
});
