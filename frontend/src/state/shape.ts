// Says what a received value really is, for data whose type is a promise from elsewhere.

import type { CappedText } from "../bindings.ts";

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A counter: a whole number from 0 that is exact (UI-6). */
export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** Something that is not a list reads as an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function stringsOf(value: unknown): readonly string[] {
  return listOf(value).filter((it) => typeof it === "string");
}

/** Whether a value is one of the words of a closed set; the table has all of them as keys. */
export function isWord<Word extends string>(
  table: Readonly<Record<Word, true>>,
  value: unknown,
): value is Word {
  return typeof value === "string" && Object.hasOwn(table, value);
}

export function cappedText(value: unknown): CappedText | undefined {
  if (!isRecord(value) || typeof value.text !== "string") return undefined;
  const { text, totalBytes } = value;
  return { text, totalBytes: isCount(totalBytes) ? totalBytes : 0 };
}
