// Where the words that were searched for stand in a text.

export type Piece = {
  readonly text: string;
  readonly isMatch: boolean;
  /** Where it begins, in UTF-16 units. */
  readonly at: number;
};

/** Splits a text at the words, whatever their case; the pieces together are the text. */
export function marked(text: string, words: readonly string[]): readonly Piece[] {
  const sought = words.filter((it) => it !== "").map(escaped);
  if (sought.length === 0) return [{ text, isMatch: false, at: 0 }];
  // The longest first: a word may begin with another.
  sought.sort((a, b) => b.length - a.length);
  let at = 0;
  return text
    .split(new RegExp(`(${sought.join("|")})`, "iu"))
    .map((piece, index) => {
      const it = { text: piece, isMatch: index % 2 === 1, at };
      at += piece.length;
      return it;
    })
    .filter((it) => it.text !== "");
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
