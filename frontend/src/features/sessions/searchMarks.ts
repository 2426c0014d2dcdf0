// Where the words that were searched for stand in a text.

export type Piece = {
  readonly text: string;
  readonly isMatch: boolean;
  /** Where it begins, in UTF-16 units. */
  readonly at: number;
};

/** Splits a text at the words, whatever their case; the pieces together are the text. */
export function marked(text: string, words: readonly string[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const [start, end] of joined(words.flatMap((word) => placesOf(word, text)))) {
    if (start > from) pieces.push({ text: text.slice(from, start), isMatch: false, at: from });
    pieces.push({ text: text.slice(start, end), isMatch: true, at: start });
    from = end;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), isMatch: false, at: from });
  return pieces;
}

type Range = [start: number, end: number];

function placesOf(word: string, text: string): Range[] {
  if (word === "") return [];
  const literal = word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const all = text.matchAll(new RegExp(literal, "giu"));
  return [...all].map((it) => [it.index, it.index + it[0].length]);
}

/** Words may stand in one another, or begin where another ends. */
function joined(ranges: readonly Range[]): readonly Range[] {
  const all: Range[] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = all.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else all.push([start, end]);
  }
  return all;
}
