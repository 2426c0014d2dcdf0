// A line of code as pieces, each of one kind. Cuts them further where something is to be marked.

/** What a piece of code is; the style sheet has a colour for each. */
export type TokenKind =
  | "keyword"
  | "string"
  | "constant"
  | "function"
  | "comment"
  | "punctuation"
  | "link"
  | "plain";

export type Token = { readonly length: number; readonly kind: TokenKind };

/** A part of a line, counted in UTF-16 units. */
export type Range = { readonly from: number; readonly to: number };

export type Piece = { readonly text: string; readonly kind: TokenKind; readonly marked: boolean };

/** Cuts a line where its kind changes or a mark begins or ends. Marks are in order and apart. */
export function pieces(text: string, tokens: readonly Token[], marks: readonly Range[]): Piece[] {
  const edges = new Set([0, text.length]);
  for (const { from, to } of marks) edges.add(clamp(from)).add(clamp(to));
  let at = 0;
  for (const { length } of tokens) {
    at += length;
    edges.add(clamp(at));
  }
  const cuts = [...edges].sort((a, b) => a - b);
  const kinds = cursor(
    tokens.map(({ length, kind }) => ({ length, value: kind })),
    "plain" as const,
  );
  const found: Piece[] = [];
  for (const [index, from] of cuts.slice(0, -1).entries()) {
    const to = cuts[index + 1] ?? text.length;
    const marked = marks.some((mark) => mark.from <= from && to <= mark.to);
    found.push({ text: text.slice(from, to), kind: kinds(from), marked });
  }
  return found;

  function clamp(index: number): number {
    return Math.min(text.length, Math.max(0, index));
  }
}

/** Returns a function that says what stands at a place; it is asked from left to right. */
function cursor<Value>(spans: readonly { length: number; value: Value }[], after: Value) {
  let index = 0;
  let end = spans[0]?.length ?? 0;
  return (place: number): Value => {
    while (index < spans.length && end <= place) {
      index += 1;
      end += spans[index]?.length ?? 0;
    }
    return spans[index]?.value ?? after;
  };
}
