// Reads patches of every kind that a frozen result can hold.

import { describe, expect, test } from "vitest";
import { type DiffRow, type FilePatch, parsePatch, patchText } from "./patch.ts";

/** One row a line: sign, old number, new number, text; `\` where no newline ends it. */
function drawn(patch: FilePatch): string[] {
  return patch.rows.map((row) => {
    if (row.is === "hunk") return `@ ${row.ranges}|${row.section}|${row.hidden}`;
    const sign = { context: " ", added: "+", removed: "-" }[row.is];
    const end = { lf: "", crlf: "\\r", none: "\\" }[row.end];
    return `${sign} ${row.old ?? "."} ${row.new ?? "."} ${row.text}${end}`;
  });
}

const header = (...lines: string[]) =>
  [`diff --git a/x b/x`, ...lines, "--- a/x", "+++ b/x", ""].join("\n");

test("a modified file: both numbers run, and a change takes one of them", () => {
  const patch = parsePatch(`${header()}@@ -118,4 +118,5 @@ impl Session\n a\n-b\n+B\n+C\n c\n d\n`);
  expect(drawn(patch)).toEqual([
    "@ -118,4 +118,5|impl Session|117",
    "  118 118 a",
    "- 119 . b",
    "+ . 119 B",
    "+ . 120 C",
    "  120 121 c",
    "  121 122 d",
  ]);
  expect(patch).toMatchObject({ mode: { is: "same" }, mixedEnds: false, damaged: false });
});

test("unchanged lines between two hunks are counted, as far as the headers tell", () => {
  const patch = parsePatch(`${header()}@@ -1,2 +1,2 @@\n-a\n+A\n b\n@@ -40 +40,2 @@\n c\n+d\n`);
  expect(drawn(patch)).toEqual([
    "@ -1,2 +1,2||0",
    "- 1 . a",
    "+ . 1 A",
    "  2 2 b",
    "@ -40 +40,2||37",
    "  40 40 c",
    "+ . 41 d",
  ]);
});

test("a created file has only new lines, and says its permission bits", () => {
  const patch = parsePatch(
    "diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a\n+b\n",
  );
  expect(drawn(patch)).toEqual(["@ -0,0 +1,2||0", "+ . 1 a", "+ . 2 b"]);
  expect(patch.mode).toEqual({ is: "created", mode: "755" });
});

test("a deleted file has only old lines", () => {
  const patch = parsePatch(
    "diff --git a/o b/o\ndeleted file mode 100644\n--- a/o\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n",
  );
  expect(drawn(patch)).toEqual(["@ -1,2 +0,0||0", "- 1 . a", "- 2 . b"]);
  expect(patch.mode).toEqual({ is: "deleted", mode: "644" });
});

test("an empty file that was created has no rows", () => {
  const patch = parsePatch("diff --git a/e b/e\nnew file mode 100644\n");
  expect(patch).toMatchObject({ rows: [], mode: { is: "created", mode: "644" }, damaged: false });
});

test("a change of permission bits alone has no rows", () => {
  const patch = parsePatch("diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n");
  expect(patch).toMatchObject({
    rows: [],
    mode: { is: "changed", from: "644", to: "755" },
    damaged: false,
  });
});

test("permission bits and lines can change together", () => {
  const patch = parsePatch(`${header("old mode 100644", "new mode 100755")}@@ -1 +1 @@\n-a\n+b\n`);
  expect(patch.mode).toEqual({ is: "changed", from: "644", to: "755" });
  expect(drawn(patch)).toEqual(["@ -1 +1||0", "- 1 . a", "+ . 1 b"]);
});

describe("the end of the last line", () => {
  const marker = "\\ No newline at end of file\n";

  test("is missing on both sides", () => {
    const patch = parsePatch(`${header()}@@ -1 +1 @@\n-a\n${marker}+b\n${marker}`);
    expect(drawn(patch)).toEqual(["@ -1 +1||0", "- 1 . a\\", "+ . 1 b\\"]);
    expect(patch.mixedEnds).toBe(false);
  });

  test("is added, and nothing else", () => {
    const patch = parsePatch(`${header()}@@ -1 +1 @@\n-a\n${marker}+a\n`);
    expect(drawn(patch)).toEqual(["@ -1 +1||0", "- 1 . a\\", "+ . 1 a"]);
  });

  test("is missing on an unchanged line", () => {
    const patch = parsePatch(`${header()}@@ -1,2 +1,2 @@\n-a\n+b\n c\n${marker}`);
    expect(drawn(patch)).toEqual(["@ -1,2 +1,2||0", "- 1 . a", "+ . 1 b", "  2 2 c\\"]);
  });
});

test("carriage returns are what ends a line, not a part of it", () => {
  const all = parsePatch(`${header()}@@ -1,2 +1,2 @@\n-a\r\n+b\r\n c\r\n`);
  expect(drawn(all)).toEqual(["@ -1,2 +1,2||0", "- 1 . a\\r", "+ . 1 b\\r", "  2 2 c\\r"]);
  expect(all.mixedEnds).toBe(false);
  const changed = parsePatch(`${header()}@@ -1 +1 @@\n-a\r\n+a\n`);
  expect(drawn(changed)).toEqual(["@ -1 +1||0", "- 1 . a\\r", "+ . 1 a"]);
  expect(changed.mixedEnds).toBe(true);
});

test("the text after a header may be of any kind", () => {
  const patch = parsePatch(`${header()}@@ -1 +1 @@ fn a() {\r\n-a\n+b\n`);
  expect(patch.rows[0]).toMatchObject({ is: "hunk", section: "fn a() {\r" });
});

test("a lone carriage return ends no line", () => {
  const patch = parsePatch(`${header()}@@ -1 +1 @@\n-a\rb\n+a\rc\n`);
  expect(drawn(patch)).toEqual(["@ -1 +1||0", "- 1 . a\rb", "+ . 1 a\rc"]);
});

test.each([
  ['diff --git "a/gr\\303\\266\\303\\237e.txt" "b/gr\\303\\266\\303\\237e.txt"', "quoted"],
  ["diff --git a/two words.txt b/two words.txt", "with a blank"],
  ['diff --git "a/tab\\there" "b/tab\\there"', "with a tab"],
  ["diff --git a/new mode 100644 b/new mode 100644", "like a header"],
])("the odd name of a file does not disturb: %s", (line) => {
  const names = line.replace("diff --git ", "");
  const patch = parsePatch(`${line}\n--- ${names}\t\n+++ ${names}\t\n@@ -1 +1 @@\n-a\n+b\n`);
  expect(drawn(patch)).toEqual(["@ -1 +1||0", "- 1 . a", "+ . 1 b"]);
  expect(patch).toMatchObject({ mode: { is: "same" }, damaged: false });
});

test("lines that look like headers are lines", () => {
  const patch = parsePatch(
    `${header()}@@ -1,3 +1,3 @@\n--- a/x\n-diff --git a/x b/x\n+++ b/x\n+@@ -1 +1 @@\n \\ No newline\n`,
  );
  expect(drawn(patch)).toEqual([
    "@ -1,3 +1,3||0",
    "- 1 . -- a/x",
    "- 2 . diff --git a/x b/x",
    "+ . 1 ++ b/x",
    "+ . 2 @@ -1 +1 @@",
    "  3 3 \\ No newline",
  ]);
});

test("an empty line whose blank was cut is an unchanged line", () => {
  const patch = parsePatch(`${header()}@@ -1,2 +1,2 @@\n-a\n+b\n\n`);
  expect(drawn(patch).at(-1)).toBe("  2 2 ");
});

test("removed and added lines of one change are paired in their order", () => {
  const { rows } = parsePatch(`${header()}@@ -1,4 +1,5 @@\n-a\n-b\n+A\n+B\n+C\n d\n-e\n+E\n`);
  expect(rows.map((row) => (row.is === "hunk" ? "@" : (row.pair ?? ".")))).toEqual([
    "@",
    3,
    4,
    1,
    2,
    ".",
    ".",
    8,
    7,
  ]);
});

describe("a damaged patch keeps what can be told", () => {
  const cases: [what: string, text: string, rows: number][] = [
    ["cut in a hunk", `${header()}@@ -1,5 +1,5 @@\n a\n-b\n`, 3],
    ["cut in a header", `${header()}@@ -1,5 +1`, 0],
    ["with more lines than promised", `${header()}@@ -1 +1 @@\n-a\n+b\n+c\n`, 3],
    ["with a line of no kind", `${header()}@@ -1,2 +1,2 @@\n a\n?b\n`, 2],
  ];
  test.each(cases)("%s", (_, text, rows) => {
    const patch = parsePatch(text);
    expect(patch.damaged).toBe(true);
    expect(patch.rows).toHaveLength(rows);
  });

  test("what is no patch has no rows and is not taken for whole", () => {
    expect(parsePatch("")).toMatchObject({ rows: [], mode: { is: "same" } });
    expect(parsePatch("hello\n")).toMatchObject({ rows: [], mode: { is: "same" } });
  });
});

test("only the first file of several is read", () => {
  const one = `${header()}@@ -1 +1 @@\n-a\n+b\n`;
  expect(parsePatch(one + one).rows).toEqual(parsePatch(one).rows);
});

test("bytes that are no text show where they stood", () => {
  const text = new TextEncoder().encode(`${header()}@@ -1 +1 @@\n-a\n+`);
  const patch = parsePatch(patchText(Uint8Array.from([...text, 0xff, 0x62, 0x0a])));
  expect(drawn(patch).at(-1)).toBe("+ . 1 \ufffdb");
});

test("a byte order mark stays in its line", () => {
  const patch = parsePatch(
    patchText(new TextEncoder().encode(`${header()}@@ -1 +1 @@\n-a\n+\ufeffa\n`)),
  );
  expect(drawn(patch).at(-1)).toBe("+ . 1 \ufeffa");
});

test("a patch of 2 MiB is read at once", () => {
  const lines = 60_000;
  const body = Array.from(
    { length: lines },
    (_, index) => `+line ${index} of a file that is very long`,
  );
  const text = `${header()}@@ -0,0 +1,${lines} @@\n${body.join("\n")}\n`;
  expect(text.length).toBeGreaterThan(2 << 20);
  const started = performance.now();
  const { rows, damaged } = parsePatch(text);
  expect(performance.now() - started).toBeLessThan(1_000);
  expect(damaged).toBe(false);
  expect(rows).toHaveLength(lines + 1);
  expect(rows.at(-1)).toMatchObject<Partial<DiffRow>>({ is: "added", new: lines });
});
