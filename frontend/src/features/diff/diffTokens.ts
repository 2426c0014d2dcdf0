// Colours for the rows in view. Each part of a hunk is read once, on both sides, when a row of it
// is first seen.

import type { Language } from "../../components/code/languages.ts";
import type { Token } from "../../components/code/tokens.ts";
import type { DiffRow } from "./patch.ts";

/** Rows that are read together; at its edge a comment over many lines may lose its colour. */
const PART_ROWS = 250;

export type Highlight = (code: string, language: Language) => Promise<Token[][]>;

export type DiffTokens = {
  /** Returns the tokens of a row; `undefined` while it is plain. */
  readonly of: (index: number) => readonly Token[] | undefined;
  /** Says that a row is in view. */
  readonly want: (index: number) => void;
  readonly subscribe: (changed: () => void) => () => void;
};

/** Creates the colours of one patch; without a language there are none. */
export function createDiffTokens(
  rows: readonly DiffRow[],
  language: Language | undefined,
  highlight: Highlight,
): DiffTokens {
  const found = new Map<number, readonly Token[]>();
  const asked = new Set<number>();
  const listeners = new Set<() => void>();

  const read = async (part: readonly number[], side: "old" | "new", known: Language) => {
    const of = part.filter((index) => isOn(rows[index], side));
    if (of.length === 0) return;
    const code = of.map((index) => textOf(rows[index])).join("\n");
    const lines = await highlight(code, known);
    for (const [at, tokens] of lines.entries()) {
      const index = of[at];
      if (index !== undefined) found.set(index, tokens);
    }
  };

  return {
    of: (index) => found.get(index),
    want: (index) => {
      const start = partStart(rows, index);
      if (language === undefined || start === undefined || asked.has(start)) return;
      asked.add(start);
      const part = partRows(rows, start);
      void Promise.all([read(part, "old", language), read(part, "new", language)]).then(() => {
        for (const changed of listeners) changed();
      });
    },
    subscribe: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

/** Returns the first row of the part that a row is in. */
function partStart(rows: readonly DiffRow[], index: number): number | undefined {
  if (rows[index]?.is === "hunk") return undefined;
  let start = index;
  while (start > 0 && start % PART_ROWS !== 0 && rows[start - 1]?.is !== "hunk") start -= 1;
  return start;
}

function partRows(rows: readonly DiffRow[], start: number): number[] {
  const part: number[] = [];
  for (let index = start; index < rows.length; index += 1) {
    if (rows[index]?.is === "hunk" || (index > start && index % PART_ROWS === 0)) break;
    part.push(index);
  }
  return part;
}

/** Unchanged lines are read with the new side, and give the old one its context. */
function isOn(row: DiffRow | undefined, side: "old" | "new"): boolean {
  if (row === undefined || row.is === "hunk") return false;
  return row.is === "context" || row.is === (side === "old" ? "removed" : "added");
}

function textOf(row: DiffRow | undefined): string {
  return row === undefined || row.is === "hunk" ? "" : row.text;
}
