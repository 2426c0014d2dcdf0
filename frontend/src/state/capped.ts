// Texts of which an event carries the start.

import type { CappedText } from "../bindings.ts";

const utf8 = new TextEncoder();

export function byteLength(text: string): number {
  return utf8.encode(text).length;
}

/** Whether there is more of a text than it holds. */
export function isCut(text: CappedText | undefined): boolean {
  if (text === undefined || text.totalBytes <= text.text.length) return false;
  return text.totalBytes > byteLength(text.text);
}

/** The whole of a text whose start came with an event, if `seen` is that whole. */
export function unlessSeen(text: CappedText, seen: string): CappedText {
  if (!isCut(text) || !seen.startsWith(text.text)) return text;
  return byteLength(seen) === text.totalBytes ? { ...text, text: seen } : text;
}
