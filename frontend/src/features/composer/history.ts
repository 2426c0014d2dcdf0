// What was asked in this session, gone through with the arrow keys at the edges of the field.

/** Where one is in it; `at` is the number of prompts while nothing of it is shown. */
export type Browsing = {
  readonly at: number;
  /** What was being written before. */
  readonly draft: string;
};

/** The caret, as the field has it. */
export type Caret = {
  readonly text: string;
  readonly selectionStart: number;
  readonly selectionEnd: number;
};

/**
 * Returns where a key leads and what is then in the field; `undefined` where the key is the
 * field's own: the caret is not at that edge, or there is nothing more.
 */
export function browse(
  key: string,
  caret: Caret,
  prompts: readonly string[],
  browsing: Browsing | undefined,
): { readonly browsing: Browsing; readonly text: string } | undefined {
  const { at, draft } = browsing ?? { at: prompts.length, draft: caret.text };
  const step = key === "ArrowUp" ? -1 : key === "ArrowDown" ? 1 : 0;
  const to = at + step;
  if (step === 0 || to < 0 || to > prompts.length || !isAtEdge(step, caret)) return undefined;
  return { browsing: { at: to, draft }, text: prompts[to] ?? draft };
}

function isAtEdge(step: 1 | -1, { text, selectionStart, selectionEnd }: Caret): boolean {
  if (selectionStart !== selectionEnd) return false;
  const rest = step === -1 ? text.slice(0, selectionStart) : text.slice(selectionEnd);
  return !rest.includes("\n");
}
