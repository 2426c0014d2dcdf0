// Reads code with a grammar. Runs in the worker, and in tests.

import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { loadGrammar } from "./grammars.ts";
import type { Language } from "./languages.ts";
import type { Token, TokenKind } from "./tokens.ts";

/** A longer line stays plain. */
const LINE_LIMIT_CHARS = 2_000;
/** A line that takes longer is given up half way. */
const LINE_TIME_LIMIT_MS = 50;

const theme = createCssVariablesTheme({ name: "evident", variablePrefix: "", fontStyle: false });

let highlighter: Promise<HighlighterCore> | undefined;

/** Returns the tokens of each line. Lines end with `\n`. */
export async function tokenise(code: string, language: Language): Promise<Token[][]> {
  highlighter ??= createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const shiki = await highlighter;
  await shiki.loadLanguage(loadGrammar(language));
  const { tokens } = shiki.codeToTokens(code, {
    lang: language,
    theme: "evident",
    tokenizeMaxLineLength: LINE_LIMIT_CHARS,
    tokenizeTimeLimit: LINE_TIME_LIMIT_MS,
  });
  return tokens.map((line) =>
    joined(line.map((it) => ({ length: it.content.length, kind: kindOf(it.color) }))),
  );
}

/** One token for neighbours of one kind. */
function joined(tokens: readonly Token[]): Token[] {
  const found: Token[] = [];
  for (const token of tokens) {
    const last = found.at(-1);
    if (last?.kind === token.kind) {
      found[found.length - 1] = { length: last.length + token.length, kind: last.kind };
    } else {
      found.push(token);
    }
  }
  return found;
}

/** The theme's colours are names: `var(token-keyword)`. */
function kindOf(colour: string | undefined): TokenKind {
  const name = /^var\((?:token-)?([\w-]+)\)$/.exec(colour ?? "")?.[1] ?? "";
  switch (name) {
    case "keyword":
    case "constant":
    case "function":
    case "comment":
    case "punctuation":
    case "link":
    case "string":
      return name;
    case "string-expression":
      return "string";
  }
  return "plain";
}
