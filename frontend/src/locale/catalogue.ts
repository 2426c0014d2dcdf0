// The types of a catalogue: its texts, and the keys by which they are asked for.

import type { en } from "./en.ts";

/** What every language has: English itself. */
export type English = typeof en;

/** The same texts in a language with one plural form. */
export type OneForm<Texts> = {
  [Key in keyof Texts as Key extends `${string}_one` ? never : Key]: Texts[Key] extends string
    ? string
    : OneForm<Texts[Key]>;
};

/** The name of a text, without its plural form: `card.files`. */
export type TextKey = KeyOf<English>;

type KeyOf<Texts, Path extends string = ""> = {
  [Key in keyof Texts & string]: Texts[Key] extends string
    ? `${Path}${WithoutForm<Key>}`
    : KeyOf<Texts[Key], `${Path}${Key}.`>;
}[keyof Texts & string];

type WithoutForm<Key extends string> = Key extends `${infer Name}_one` | `${infer Name}_other`
  ? Name
  : Key;
