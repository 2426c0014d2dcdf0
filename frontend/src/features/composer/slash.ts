// The words after a slash (UI-33): what can be meant by what is typed so far.

import type { SettingsView } from "../../backend/backend.ts";

/** One line of the list above the message field. */
export type SlashChoice = { readonly id: string; readonly label: string } & (
  | { readonly is: "word"; readonly word: SlashWord }
  | {
      readonly is: "model";
      readonly model: string;
      readonly contextTokens: number | null;
      /** It is the model in use; it comes first, so that Enter alone changes nothing. */
      readonly isCurrent: boolean;
    }
  | { readonly is: "provider"; readonly provider: string }
);

export type SlashWord = "model" | "provider";

export type Slash = {
  readonly word: SlashWord | undefined;
  readonly choices: readonly SlashChoice[];
};

const words: readonly SlashWord[] = ["model", "provider"];

/** Returns `undefined` where the text is an ordinary message. */
export function slashOf(draft: string, view: SettingsView | undefined): Slash | undefined {
  const match = /^\/(\S*)(?:[ \t]+(\S*))?$/u.exec(draft);
  if (match === null) return undefined;
  const [, typed = "", argument] = match;
  const word = words.find((it) => it === typed);
  if (word === undefined || argument === undefined) {
    const choices = words
      .filter((it) => it.startsWith(typed))
      .map((it) => ({ is: "word", id: it, label: `/${it}`, word: it }) as const);
    return { word: undefined, choices };
  }
  return { word, choices: choicesOf(word, argument, view) };
}

function choicesOf(
  word: SlashWord,
  typed: string,
  view: SettingsView | undefined,
): readonly SlashChoice[] {
  const has = (text: string) => text.toLowerCase().includes(typed.toLowerCase());
  const catalog = view?.catalog ?? [];
  switch (word) {
    case "model": {
      const entry = catalog.find((it) => it.id === view?.provider?.provider);
      const known = (entry?.models ?? []).filter((it) => has(it.id));
      const models = known.map(({ id, contextTokens }) => ({ id, contextTokens }));
      // A name that the catalogue does not know may be right all the same.
      const isNew = typed !== "" && !known.some((it) => it.id === typed);
      if (isNew) models.push({ id: typed, contextTokens: null });
      const current = view?.provider?.model ?? entry?.models[0]?.id;
      const sorted = models.toSorted((a, b) => Number(b.id === current) - Number(a.id === current));
      return sorted.map(({ id, contextTokens }) => ({
        is: "model",
        id: `model ${id}`,
        label: id,
        model: id,
        contextTokens,
        isCurrent: id === current,
      }));
    }
    case "provider":
      return catalog
        .filter((it) => has(it.id) || has(it.name))
        .map(({ id, name }) => ({
          is: "provider",
          id: `provider ${id}`,
          label: name,
          provider: id,
        }));
  }
}
