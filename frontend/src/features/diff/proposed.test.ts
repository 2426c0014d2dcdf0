// What a question for a write shows is what the call would write.

import { describe, expect, test } from "vitest";
import { proposedWrite } from "./proposed.ts";

const signs = { added: "+", removed: "-", context: " " };

function shown(tool: string, args: object): string[] | string {
  const proposed = proposedWrite(tool, JSON.stringify(args));
  if (proposed.is === "other") return proposed.text;
  return proposed.rows.map((row) => {
    const end = { lf: "", crlf: "\\r", none: "\\0" }[row.end];
    return `${signs[row.is]}${row.new ?? ""}${row.pair === undefined ? "" : `(${row.pair})`} ${row.text}${end}`;
  });
}

describe("a new file", () => {
  test("is all of its lines, numbered, with what ends them", () => {
    const content = "one\r\n\ntwo\nthree";
    expect(shown("write_file", { path: "a", content })).toEqual([
      "+1 one\\r",
      "+2 ",
      "+3 two",
      "+4 three\\0",
    ]);
    expect(shown("write_file", { path: "a", content: "" })).toEqual([]);
    expect(shown("write_file", { path: "a", content: "\n" })).toEqual(["+1 "]);
  });
});

describe("a passage", () => {
  const edit = (before: string, after: string) =>
    shown("edit_file", { path: "a", old_string: before, new_string: after });

  test("is shown with what would take its place, line by line", () => {
    expect(edit("a\nb\nc\nd", "a\nB\nC\nnew\nd")).toEqual([
      "  a",
      "-(3) b",
      "-(4) c",
      "+(1) B",
      "+(2) C",
      "+ new",
      "  d",
    ]);
  });

  test("that only grows, shrinks or goes loses nothing", () => {
    expect(edit("a", "a\na")).toEqual(["  a", "+ a"]);
    expect(edit("a\na\nb", "a\nb")).toEqual(["  a", "- a", "  b"]);
    expect(edit("a\nb", "")).toEqual(["- a", "- b"]);
  });

  test("of which only the ends of lines differ is no passage that stays", () => {
    expect(edit("a\r\nb", "a\nb")).toEqual(["-(1) a\\r", "+(0) a", "  b"]);
  });

  test("says whether it is replaced wherever it stands", () => {
    const args = { path: "a", old_string: "x", new_string: "y" };
    const everywhere = { ...args, replace_all: true };
    expect(proposedWrite("edit_file", JSON.stringify(args))).toMatchObject({ everywhere: false });
    expect(proposedWrite("edit_file", JSON.stringify(everywhere))).toMatchObject({
      everywhere: true,
    });
  });
});

test.each(["", "[]", "null", '{"path":"a","content":1}', '{"path":"a","old_string":"x"'])(
  "arguments that are none of a write are shown as they are: %s",
  (text) => {
    expect(proposedWrite("write_file", text)).toEqual({ is: "other", text });
    expect(proposedWrite("edit_file", text)).toEqual({ is: "other", text });
  },
);
