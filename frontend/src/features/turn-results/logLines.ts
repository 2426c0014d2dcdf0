// The lines of a log: split once, coloured one by one when they come into view.

import Anser from "anser";

/** A piece of a line in one look. */
export type LogPiece = {
  readonly text: string;
  /** One of the colours that each terminal has, such as `red`; others are left plain. */
  readonly colour: string | undefined;
  readonly isBold: boolean;
};

export type LogLines = {
  readonly lines: readonly string[];
  readonly pieces: (index: number) => readonly LogPiece[];
};

/** More characters of a line are not shown. */
export const LINE_CHARS = 4000;
/** More codes are not carried on: the last ones hold. */
const CARRIED_CHARS = 64;

const ESCAPE = "\u001b";
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
const COLOUR = /\u001b\[([\d;]*)m/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
const RESET = /\u001b\[0?m/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
const OTHER_CODES = /\u001b(?:\[[\d;?]*[@-ln-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[^[\]])/g;

/** Reads a log. Nothing is coloured before it is asked for. */
export function logLines(text: string): LogLines {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const carried = text.includes(ESCAPE) ? carriedCodes(lines) : undefined;
  const pieces = (index: number) => {
    const line = written(lines[index] ?? "");
    if (carried === undefined) return [{ text: line, colour: undefined, isBold: false }];
    return coloured(`${carried(index)}${line}`);
  };
  return { lines, pieces };
}

/**
 * Returns the codes that hold where a line begins. Nothing is read but what lies between the line
 * and the one above it after which nothing held: of a long log only its end is looked at first.
 */
function carriedCodes(lines: readonly string[]): (index: number) => string {
  const known = new Map([[0, ""]]);
  return (index) => {
    let at = index;
    while (!known.has(at)) {
      at -= 1;
      // Whatever held before it does not matter.
      if (RESET.test(lines[at] ?? "")) break;
    }
    let codes = known.get(at) ?? "";
    for (; at < index; at += 1) {
      codes = codesAfter(lines[at] ?? "", codes);
      known.set(at + 1, codes);
    }
    return codes;
  };
}

/** The codes that hold after a line, by those that hold before it. */
function codesAfter(line: string, before: string): string {
  if (!line.includes(ESCAPE)) return before;
  let codes = before;
  for (const [code, numbers] of line.matchAll(COLOUR)) {
    const isReset = numbers === "" || numbers === "0";
    codes = isReset ? "" : `${codes}${code}`.slice(-CARRIED_CHARS);
  }
  // A code that was cut in two by the bound is none.
  const at = codes.indexOf(ESCAPE);
  return at < 0 ? "" : codes.slice(at);
}

/** What a terminal would show of a line at its end: a bar of progress is written over and over. */
function written(line: string): string {
  const whole = line.endsWith("\r") ? line.slice(0, -1) : line;
  return whole.slice(whole.lastIndexOf("\r") + 1).slice(0, LINE_CHARS);
}

function coloured(line: string): LogPiece[] {
  const options = { use_classes: true, remove_empty: true };
  return Anser.ansiToJson(line.replace(OTHER_CODES, ""), options).map((piece) => ({
    text: piece.content,
    colour: /^ansi-(?:bright-)?([a-z]+)$/.exec(piece.fg ?? "")?.[1],
    isBold: piece.decorations.includes("bold"),
  }));
}

/** How many characters of a line are left out. */
export function leftOut(line: string): number {
  return Math.max(0, line.length - LINE_CHARS);
}
