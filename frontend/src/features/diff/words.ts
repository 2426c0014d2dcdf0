// Which words of two lines differ. Bounded: long lines, and lines that share little, get no marks.

import type { Range } from "../../components/code/tokens.ts";

export type WordMarks = { readonly old: readonly Range[]; readonly new: readonly Range[] };

const LINE_LIMIT_CHARS = 1_000;
/** Words of the part that differs, on one side. */
const WORD_LIMIT = 200;
/** The share of letters that both lines must have in common. */
const LEAST_LIKENESS = 0.4;

/** A run of letters as a person reads it: `validate_token` is three, `parseHTML` two. */
const WORD = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+|\s+|./gsu;
const IDEOGRAPH = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/** Returns what differs, or `undefined` if marking words would not help to see it. */
export function wordMarks(before: string, after: string): WordMarks | undefined {
  if (before.length > LINE_LIMIT_CHARS || after.length > LINE_LIMIT_CHARS) return undefined;
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const start = shared(old, now, (words, index) => words[index]);
  const restOld = old.slice(start);
  const restNew = now.slice(start);
  const end = shared(restOld, restNew, (words, index) => words[words.length - 1 - index]);
  const middleOld = restOld.slice(0, restOld.length - end);
  const middleNew = restNew.slice(0, restNew.length - end);
  if (middleOld.length > WORD_LIMIT || middleNew.length > WORD_LIMIT) return undefined;

  const kept = commonWords(middleOld, middleNew);
  const marks = {
    old: ranges(middleOld, kept.old, textOf(old.slice(0, start)).length),
    new: ranges(middleNew, kept.new, textOf(now.slice(0, start)).length),
  };
  return likeness(before, after, marks) < LEAST_LIKENESS ? undefined : marks;
}

function wordsOf(text: string): string[] {
  return (text.match(WORD) ?? []).flatMap((word) => (IDEOGRAPH.test(word) ? [...word] : [word]));
}

function textOf(words: readonly string[]): string {
  return words.join("");
}

type Pick = (words: readonly string[], index: number) => string | undefined;

/** Returns how many words both have in common from one end. */
function shared(old: readonly string[], now: readonly string[], pick: Pick): number {
  const most = Math.min(old.length, now.length);
  let count = 0;
  while (count < most && pick(old, count) === pick(now, count)) count += 1;
  return count;
}

/** The longest common sequence: which words of each side are in it. */
function commonWords(old: readonly string[], now: readonly string[]) {
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const kept = { old: new Set<number>(), new: new Set<number>() };
  for (let i = 0, j = 0; i < old.length && j < now.length; ) {
    if (old[i] === now[j]) {
      kept.old.add(i++);
      kept.new.add(j++);
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return kept;
}

/** The words that were not kept, joined where nothing but blanks stands between them. */
function ranges(words: readonly string[], kept: ReadonlySet<number>, from: number): Range[] {
  const found: { from: number; to: number }[] = [];
  let [at, blanks] = [from, 0];
  for (const [index, word] of words.entries()) {
    const to = at + word.length;
    const last = found.at(-1);
    if (!kept.has(index)) {
      if (last !== undefined && last.to + blanks === at) last.to = to;
      else found.push({ from: at, to });
      blanks = 0;
    } else {
      blanks = word.trim() === "" ? blanks + word.length : Number.NEGATIVE_INFINITY;
    }
    at = to;
  }
  return found;
}

/** The share of letters, blanks apart, that were not marked. */
function likeness(before: string, after: string, marks: WordMarks): number {
  const all = letters(before) + letters(after);
  if (all === 0) return 1;
  const marked = (text: string, of: readonly Range[]) =>
    of.reduce((sum, { from, to }) => sum + letters(text.slice(from, to)), 0);
  return 1 - (marked(before, marks.old) + marked(after, marks.new)) / all;
}

function letters(text: string): number {
  return text.replace(/\s/g, "").length;
}
