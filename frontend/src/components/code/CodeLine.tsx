// One line of code: its tokens as spans, and what is marked in it.

import css from "./CodeLine.module.css";
import { type Piece, pieces, type Range, type Token } from "./tokens.ts";

const nothing: readonly never[] = [];

export type CodeLineProps = {
  text: string;
  tokens?: readonly Token[] | undefined;
  /** In order and apart. */
  marks?: readonly Range[] | undefined;
};

export function CodeLine({ text, tokens = nothing, marks = nothing }: CodeLineProps) {
  if (tokens.length === 0 && marks.length === 0) return text;
  let at = 0;
  return pieces(text, tokens, marks).map((piece) => {
    const key = at;
    at += piece.text.length;
    if (!piece.marked) return <Coloured key={key} piece={piece} />;
    return (
      <mark key={key} className={css.mark}>
        <Coloured piece={piece} />
      </mark>
    );
  });
}

function Coloured({ piece }: { piece: Piece }) {
  if (piece.kind === "plain") return piece.text;
  return <span className={css[piece.kind]}>{piece.text}</span>;
}
