// The reads of a turn: one row for each, in which the last that was said of a read holds (RS-3).

import type {
  LineRange,
  ReadId,
  ReadIntent,
  ReadRecovery,
  ReadState,
  ReadStopCode,
} from "../bindings.ts";
import { isCount, isRecord, isWord, listOf } from "./shape.ts";

/** One read, as it stands. */
export type ReadRow = {
  readonly readId: ReadId;
  readonly generation: number;
  readonly seq: number;
  readonly path: string;
  readonly intent: ReadIntent;
  readonly state: ReadState;
  readonly covered: readonly LineRange[];
  readonly missing: readonly LineRange[];
  /** How many lines the file has; missing where that is not known. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
  readonly reason: ReadStopCode | undefined;
  readonly recovery: ReadRecovery | undefined;
  readonly active: boolean;
  /** It took more than a page, or paused. One that did not is told by its call alone (RS-5). */
  readonly isLong: boolean;
};

/** Folds what was said of a read into the rows; the same rows come back if it is old. */
export function foldRead(rows: readonly ReadRow[], status: unknown): readonly ReadRow[] {
  const row = receivedRead(status);
  if (row === undefined) return rows;
  const at = rows.findIndex((it) => it.readId === row.readId);
  const before = rows[at];
  if (before === undefined) return [...rows, row];
  if (isOld(row, before)) return rows;
  return rows.with(at, { ...row, isLong: before.isLong || row.isLong });
}

/** Nothing is read any more when the turn has ended (RS-8). */
export function atTurnEnd(rows: readonly ReadRow[]): readonly ReadRow[] {
  return rows.some((it) => it.active) ? rows.map((it) => ({ ...it, active: false })) : rows;
}

function isOld(row: ReadRow, before: ReadRow): boolean {
  if (row.generation !== before.generation) return row.generation < before.generation;
  return row.seq <= before.seq;
}

/** Returns what was received, if it says which read it is about and where that stands. */
function receivedRead(value: unknown): ReadRow | undefined {
  if (!isRecord(value)) return undefined;
  const { readId, generation, seq, path, intent, state, sourceEnd, reason } = value;
  if (typeof readId !== "string" || readId === "") return undefined;
  if (!isCount(generation) || !isCount(seq) || typeof path !== "string") return undefined;
  if (!isWord(INTENTS, intent) || !isWord(STATES, state)) return undefined;
  const covered = receivedRanges(value.covered);
  return {
    readId,
    generation,
    seq,
    path,
    intent,
    state,
    covered,
    missing: receivedRanges(value.missing),
    total: isCount(sourceEnd) ? sourceEnd : undefined,
    hasMore: value.hasMore === true,
    reason: isWord(STOP_CODES, reason) ? reason : undefined,
    recovery: receivedRecovery(value.recovery),
    active: value.active === true && !isOver(state),
    isLong: isPaused(state) || (intent !== "inspect" && takesMore(state, covered)),
  };
}

/** Returns the ranges that hold lines, in their order. */
export function receivedRanges(value: unknown): readonly LineRange[] {
  return listOf(value)
    .flatMap((range): LineRange[] => {
      const [start, end] = listOf(range);
      return isCount(start) && isCount(end) && start < end ? [[start, end]] : [];
    })
    .sort((a, b) => a[0] - b[0]);
}

function receivedRecovery(value: unknown): ReadRecovery | undefined {
  if (!isRecord(value) || !isCount(value.offset) || !isCount(value.limit)) return undefined;
  return { offset: value.offset, limit: value.limit };
}

function isPaused(state: ReadState): boolean {
  switch (state) {
    case "blocked":
    case "needs_scope":
      return true;
    case "created":
    case "fetching":
    case "delivered":
    case "needs_more":
    case "stale":
    case "satisfied":
    case "cancelled":
      return false;
  }
}

function isOver(state: ReadState): boolean {
  switch (state) {
    case "satisfied":
    case "cancelled":
      return true;
    case "created":
    case "fetching":
    case "delivered":
    case "needs_more":
    case "needs_scope":
    case "stale":
    case "blocked":
      return false;
  }
}

function takesMore(state: ReadState, covered: readonly LineRange[]): boolean {
  switch (state) {
    case "needs_more":
      return true;
    case "fetching":
      return covered.length > 0;
    case "created":
    case "delivered":
    case "needs_scope":
    case "stale":
    case "blocked":
    case "satisfied":
    case "cancelled":
      return false;
  }
}

/** A read where a person looks for it, and what is to be said of it. */
export type ShownRead = { readonly row: ReadRow; readonly phase: ReadPhase };

/**
 * `reading`: it goes on. `read`: what was read is all that was asked for, or all that there will
 * be. `paused`: it does not go on by itself. `stopped`: by the user, or with the turn.
 */
export type ReadPhase = "reading" | "read" | "paused" | "stopped";

/** So many rows have room. What is over gives way to what is not. */
export const SHOWN_READS = 3;

/**
 * Returns the reads that are shown beside the conversation (RS-7). While the turn runs their number
 * does not fall, and no row moves past another; after it those are left that came to no end.
 */
export function shownReads(rows: readonly ReadRow[], isRunning: boolean): readonly ShownRead[] {
  const all = longReads(rows, isRunning);
  if (!isRunning) return all.filter((it) => it.phase === "paused");
  const isOpen = ({ phase }: ShownRead) => phase === "reading" || phase === "paused";
  const room = Math.max(0, SHOWN_READS - all.filter(isOpen).length);
  const over = all.filter((it) => !isOpen(it));
  const left = new Set(over.slice(Math.max(0, over.length - room)));
  return all.filter((it) => isOpen(it) || left.has(it));
}

/** The reads of a turn that took more than one page, or paused, and where each stands. */
export function longReads(rows: readonly ReadRow[], isRunning = true): readonly ShownRead[] {
  return rows.filter((it) => it.isLong).map((row) => ({ row, phase: phaseOf(row, isRunning) }));
}

function phaseOf(row: ReadRow, isRunning: boolean): ReadPhase {
  if (row.state === "cancelled") return "stopped";
  if (row.state === "satisfied") return "read";
  if (isPaused(row.state)) return "paused";
  // Only a whole file is owed (RC-18); of another read nobody waits for the rest.
  const isOwed = row.intent === "full";
  if (isRunning) return isOwed || row.active ? "reading" : "read";
  return isOwed ? "paused" : "read";
}

/** Whether the running turn waits for it, so that the user can let it end without (RC-18, RC-25). */
export function canStop({ row, phase }: ShownRead): boolean {
  return phase === "paused" || (phase === "reading" && row.intent === "full");
}

/** What a pause comes from (RS-6). */
export type PauseGroup = "stalled" | "budget" | "source";

export function pauseGroup(reason: ReadStopCode): PauseGroup {
  switch (reason) {
    case "no_progress":
      return "stalled";
    case "page_budget":
    case "time_budget":
    case "no_headroom":
    case "unknown_window":
      return "budget";
    case "unversioned_source":
    case "no_cursor":
      return "source";
  }
}

/** The line, counted from 1, from which a read is gone on with. */
export function resumeLine({ recovery, missing, covered }: ReadRow): number {
  return (recovery?.offset ?? missing[0]?.[0] ?? covered.at(-1)?.[1] ?? 0) + 1;
}

const INTENTS: Record<ReadIntent, true> = { inspect: true, range: true, full: true };

const STATES: Record<ReadState, true> = {
  created: true,
  fetching: true,
  delivered: true,
  satisfied: true,
  needs_more: true,
  needs_scope: true,
  stale: true,
  blocked: true,
  cancelled: true,
};

const STOP_CODES: Record<ReadStopCode, true> = {
  page_budget: true,
  time_budget: true,
  no_progress: true,
  unversioned_source: true,
  unknown_window: true,
  no_headroom: true,
  no_cursor: true,
};
