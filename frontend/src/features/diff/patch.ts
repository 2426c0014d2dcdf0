// Reads the frozen patch of one file: its hunks as rows with both line numbers.

/** Permission bits, as far as the patch speaks of them. */
export type PatchMode =
  | { readonly is: "same" }
  | { readonly is: "created"; readonly mode: string }
  | { readonly is: "deleted"; readonly mode: string }
  | { readonly is: "changed"; readonly from: string; readonly to: string };

/** What ends a line. `none`: the file ends without an end of line. */
export type LineEnd = "lf" | "crlf" | "none";

export type HunkRow = {
  readonly is: "hunk";
  /** `-118,7 +118,9` and what the line says after it. */
  readonly ranges: string;
  readonly section: string;
  /** Unchanged lines above that the patch does not hold. */
  readonly hidden: number;
};

/** A line of both sides, or of one. Numbers count from 1. */
export type LineRow = {
  readonly is: "context" | "added" | "removed";
  readonly old: number | undefined;
  readonly new: number | undefined;
  /** Without what ends it. */
  readonly text: string;
  readonly end: LineEnd;
  /** The row of the line that this one takes the place of, or that takes the place of this one. */
  readonly pair: number | undefined;
};

export type DiffRow = HunkRow | LineRow;

export type FilePatch = {
  readonly mode: PatchMode;
  /** The file's, where the lines are not its bytes. */
  readonly encoding: string | undefined;
  readonly rows: readonly DiffRow[];
  /** Lines end in more than one way, so what ends them is worth showing. */
  readonly mixedEnds: boolean;
  /** The patch stopped before its own headers said so; what it held until then is here. */
  readonly damaged: boolean;
};

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/s;

/** Bytes that are no UTF-8 become U+FFFD: a patch is bytes, and so may a file be. */
export function patchText(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

export function parsePatch(text: string): FilePatch {
  const lines = new Lines(text);
  const { mode, encoding } = readHead(lines);
  const rows: Mutable<DiffRow>[] = [];
  const ends = new Set<LineEnd>();
  let damaged = false;
  let oldNext = 1;
  while (!damaged) {
    const header = lines.next();
    if (header === undefined || header.startsWith("diff --git ")) break;
    const found = HUNK.exec(header);
    if (found === null) {
      damaged = true;
      break;
    }
    const [, oldStart = "", oldCount = "1", newStart = "", newCount = "1", section = ""] = found;
    const hunk = {
      old: first(Number(oldStart), Number(oldCount)),
      oldCount: Number(oldCount),
      new: first(Number(newStart), Number(newCount)),
      newCount: Number(newCount),
    };
    const ranges = header.slice(3, header.indexOf(" @@", 3));
    rows.push({ is: "hunk", ranges, section, hidden: Math.max(0, hunk.old - oldNext) });
    damaged = !readHunk(lines, hunk, rows, ends);
    oldNext = hunk.old + hunk.oldCount;
  }
  ends.delete("none");
  return { mode, encoding, rows, mixedEnds: ends.size > 1, damaged };
}

type Mutable<Row> = { -readonly [Key in keyof Row]: Row[Key] };
type Hunk = { old: number; oldCount: number; new: number; newCount: number };

/** A side without lines names the line before them. */
function first(start: number, count: number): number {
  return count === 0 ? start + 1 : start;
}

/** Returns whether the hunk held what its header promised. */
function readHunk(lines: Lines, hunk: Hunk, rows: Mutable<DiffRow>[], ends: Set<LineEnd>): boolean {
  let [oldLine, newLine] = [hunk.old, hunk.new];
  const [oldEnd, newEnd] = [hunk.old + hunk.oldCount, hunk.new + hunk.newCount];
  const block = new Block(rows);
  while (oldLine < oldEnd || newLine < newEnd) {
    const line = lines.next();
    if (line === undefined) return false;
    const is = kindOf(line);
    if (is === undefined) return false;
    const [text, end] = splitEnd(line.slice(1));
    const row: Mutable<LineRow> = {
      is,
      old: undefined,
      new: undefined,
      text,
      end,
      pair: undefined,
    };
    if (is !== "added") row.old = oldLine++;
    if (is !== "removed") row.new = newLine++;
    if (lines.takeNoNewline()) row.end = "none";
    ends.add(row.end);
    rows.push(row);
    block.add(is, rows.length - 1);
  }
  return oldLine === oldEnd && newLine === newEnd;
}

function kindOf(line: string): LineRow["is"] | undefined {
  switch (line.charCodeAt(0)) {
    case 0x2b:
      return "added";
    case 0x2d:
      return "removed";
    case 0x20:
      return "context";
  }
  // Some programs cut the blank of an empty line.
  return line === "" ? "context" : undefined;
}

function splitEnd(text: string): [text: string, end: LineEnd] {
  return text.endsWith("\r") ? [text.slice(0, -1), "crlf"] : [text, "lf"];
}

/** Pairs the removed lines of a change with the added ones that follow them, in their order. */
class Block {
  readonly #rows: Mutable<DiffRow>[];
  #removed: number[] = [];
  #added = 0;

  constructor(rows: Mutable<DiffRow>[]) {
    this.#rows = rows;
  }

  add(is: LineRow["is"], index: number) {
    if (is === "removed") {
      if (this.#added > 0) this.#begin();
      this.#removed.push(index);
      return;
    }
    if (is === "context") {
      this.#begin();
      return;
    }
    this.#pair(this.#removed[this.#added], index);
    this.#added += 1;
  }

  #begin() {
    this.#removed = [];
    this.#added = 0;
  }

  #pair(removed: number | undefined, added: number) {
    if (removed === undefined) return;
    const [before, after] = [this.#rows[removed], this.#rows[added]];
    if (before === undefined || before.is === "hunk") return;
    if (after === undefined || after.is === "hunk") return;
    before.pair = added;
    after.pair = removed;
  }
}

/** Reads what stands before the first hunk. Names are not read: the result knows them. */
function readHead(lines: Lines): Pick<FilePatch, "mode" | "encoding"> {
  let mode: PatchMode = { is: "same" };
  let encoding: string | undefined;
  let from = "";
  for (
    let line = lines.peek();
    line !== undefined && !line.startsWith("@@ ");
    line = lines.peek()
  ) {
    lines.next();
    encoding = /^encoding: (\S+)$/.exec(line)?.[1] ?? encoding;
    const [, word = "", bits = ""] =
      /^(old mode|new mode|new file mode|deleted file mode) \d*?(\d{3})$/.exec(line) ?? [];
    if (word === "old mode") from = bits;
    if (word === "new mode") mode = { is: "changed", from, to: bits };
    if (word === "new file mode") mode = { is: "created", mode: bits };
    if (word === "deleted file mode") mode = { is: "deleted", mode: bits };
  }
  return { mode, encoding };
}

/** The lines of a text, one after the other; only `\n` ends a line. */
class Lines {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  peek(): string | undefined {
    if (this.#at >= this.#text.length) return undefined;
    return this.#text.slice(this.#at, this.#end());
  }

  next(): string | undefined {
    const line = this.peek();
    this.#at = this.#end() + 1;
    return line;
  }

  /** Takes the line that says that the line before it ends without `\n`, if it comes next. */
  takeNoNewline(): boolean {
    if (this.#text.charCodeAt(this.#at) !== 0x5c) return false;
    this.next();
    return true;
  }

  #end(): number {
    const end = this.#text.indexOf("\n", this.#at);
    return end < 0 ? this.#text.length : end;
  }
}
