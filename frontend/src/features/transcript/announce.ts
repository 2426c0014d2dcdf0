// What the live region says, and when (AX-1): start, question, end and failure at once, of a read
// its start, pause and end, and in between at most one line of progress every five seconds. The
// same text is not said twice.

import { longReads, type ReadRow, type ShownRead } from "../../state/readStatus.ts";
import type { Item, TurnState } from "../../state/session.ts";

/** Something to say of the turn. */
export type Announcement =
  | { readonly say: "started" }
  | { readonly say: "asking"; readonly subject: string }
  | { readonly say: "ended" }
  /** They began, paused or ended; a page is none of these. */
  | { readonly say: "reads"; readonly reads: readonly ShownRead[] }
  | { readonly say: "working"; readonly step: ToolStep };

export type ToolStep = Extract<Item, { is: "tool" }>;

const PROGRESS_EVERY_MS = 5000;

/** What was known when something was last looked at. */
export type Heard = {
  readonly turn: TurnState | undefined;
  /** When progress was last told, or the turn began. */
  readonly progressAtMs: number;
};

/** Returns what is to be said now, if anything is, and what to compare with next time. */
export function hear(
  heard: Heard,
  turn: TurnState | undefined,
  nowMs: number,
): { readonly heard: Heard; readonly say: Announcement | undefined } {
  const same = { turn, progressAtMs: heard.progressAtMs };
  if (turn === undefined || turn === heard.turn) return { heard: same, say: undefined };
  const before = heard.turn?.turn === turn.turn ? heard.turn : undefined;
  if (before === undefined) {
    const say: Announcement | undefined =
      turn.end === undefined && turn.asking === undefined ? { say: "started" } : at(turn);
    return { heard: { turn, progressAtMs: nowMs }, say };
  }
  if (before.end === undefined && turn.end !== undefined) return { heard: same, say: at(turn) };
  if (turn.asking !== undefined && turn.asking.permission !== before.asking?.permission) {
    return { heard: same, say: at(turn) };
  }
  const reads = readsThatMoved(before.reads, turn.reads);
  if (reads.length > 0) return { heard: same, say: { say: "reads", reads } };
  const step = turn.items.findLast((it) => it.is === "tool");
  const isDue = nowMs - heard.progressAtMs >= PROGRESS_EVERY_MS;
  if (turn.end !== undefined || step === undefined || !isDue)
    return { heard: same, say: undefined };
  return { heard: { turn, progressAtMs: nowMs }, say: { say: "working", step } };
}

/** The reads that are elsewhere than they were. */
function readsThatMoved(before: readonly ReadRow[], now: readonly ReadRow[]): readonly ShownRead[] {
  if (before === now) return [];
  const known = new Map(longReads(before).map(({ row, phase }) => [row.readId, phase]));
  return longReads(now).filter(({ row, phase }) => known.get(row.readId) !== phase);
}

function at(turn: TurnState): Announcement | undefined {
  if (turn.end !== undefined) return { say: "ended" };
  return turn.asking && { say: "asking", subject: turn.asking.subject.text };
}
