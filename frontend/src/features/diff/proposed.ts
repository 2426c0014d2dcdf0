// What a call would write, as rows of a diff, from the arguments that the model wrote.

import { toolWord } from "../../state/toolWord.ts";
import type { LineRow } from "./patch.ts";

export type Proposed =
  /** The whole of a file. */
  | { readonly is: "text"; readonly rows: readonly LineRow[] }
  /** A passage, and what would take its place. Where it stands in the file is not known. */
  | { readonly is: "passage"; readonly rows: readonly LineRow[]; readonly everywhere: boolean }
  /** Arguments that are not those of a write, as they are. */
  | { readonly is: "other"; readonly text: string };

export function proposedWrite(tool: string, text: string): Proposed {
  const args = objectOf(text);
  const { content, old_string: before, new_string: after } = args;
  if (toolWord(tool) === "create" && typeof content === "string") {
    return { is: "text", rows: linesOf(content).map((it, at) => added(it, at + 1)) };
  }
  if (toolWord(tool) === "edit" && typeof before === "string" && typeof after === "string") {
    return { is: "passage", rows: passage(before, after), everywhere: args.replace_all === true };
  }
  return { is: "other", text };
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

type Line = Pick<LineRow, "text" | "end">;

/** A text that ends with an end of line has no line after it. */
function linesOf(text: string): readonly Line[] {
  if (text === "") return [];
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  const ended = lines.map((line): Line => {
    return line.endsWith("\r")
      ? { text: line.slice(0, -1), end: "crlf" }
      : { text: line, end: "lf" };
  });
  return last === "" ? ended : [...ended, { text: last, end: "none" }];
}

function added(line: Line, number?: number): LineRow {
  return { is: "added", old: undefined, new: number, pair: undefined, ...line };
}

/** The lines that both begin and end with stay; those between take each other's place in order. */
function passage(before: string, after: string): readonly LineRow[] {
  const [old, now] = [midLines(before), midLines(after)];
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && isSame(old[start], now[start])) start += 1;
  let end = 0;
  while (end < most - start && isSame(old.at(-1 - end), now.at(-1 - end))) end += 1;

  const gone = old.slice(start, old.length - end);
  const come = now.slice(start, now.length - end);
  const pairs = Math.min(gone.length, come.length);
  const context = (line: Line): LineRow => ({ ...added(line), is: "context" });
  return [
    ...old.slice(0, start).map(context),
    ...gone.map((line, at): LineRow => {
      const pair = at < pairs ? start + gone.length + at : undefined;
      return { ...added(line), is: "removed", pair };
    }),
    ...come.map((line, at): LineRow => {
      return { ...added(line), pair: at < pairs ? start + at : undefined };
    }),
    ...old.slice(old.length - end).map(context),
  ];
}

/** A passage may end within a line, which says nothing of how that line ends. */
function midLines(text: string): readonly Line[] {
  return linesOf(text).map((line) => (line.end === "none" ? { ...line, end: "lf" } : line));
}

function isSame(one: Line | undefined, other: Line | undefined): boolean {
  return one?.text === other?.text && one?.end === other?.end;
}
