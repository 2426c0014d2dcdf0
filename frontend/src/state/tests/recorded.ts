// Reads the event logs that the host recorded, for tests.

import type { CompletionReceipt, HistoryPage, SessionEvent, TurnHistory } from "../../bindings.ts";

export const recordings = [
  "edit_and_check",
  "refused_and_failed",
  "background_job",
  "background_check",
] as const;

export type Recording = (typeof recordings)[number];

const folder = "../../../../tests/fixtures/events";

const logs = import.meta.glob<string>("../../../../tests/fixtures/events/*.jsonl", {
  query: "?raw",
  import: "default",
  eager: true,
});

export function recorded(name: Recording): SessionEvent[] {
  const log = logs[`${folder}/${name}.jsonl`];
  if (log === undefined) throw new Error(`there is no recording ${name}`);
  const lines = log.trimEnd().split("\n");
  return lines.map((line): SessionEvent => JSON.parse(line));
}

/** The same events as pages of whole turns, newest first. */
export function pagesOf(events: readonly SessionEvent[]): HistoryPage[] {
  const turns = new Map<number, TurnHistory>();
  for (const event of events) {
    const history = turns.get(event.turn) ?? { turn: event.turn, events: [] };
    history.events.push(event);
    turns.set(event.turn, history);
  }
  return [...turns.values()].reverse().map((turn) => ({ turns: [turn], more: turn.turn > 0 }));
}

/** The receipt that a recording's turn ended with. */
export function receiptOf(name: Recording, turn: number): CompletionReceipt {
  for (const { turn: of, kind } of recorded(name)) {
    if (of === turn && kind.type === "turn_done") return kind.receipt;
  }
  throw new Error(`turn ${turn} of ${name} has no end`);
}

/** A value as it comes over the wire, whatever it is; its type is then only a promise. */
export function received<Promised>(value: unknown): Promised {
  return JSON.parse(JSON.stringify(value));
}
