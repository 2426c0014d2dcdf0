// What the live region says, and when (AX-1).

import { expect, test } from "vitest";
import type { ReadState } from "../../bindings.ts";
import { foldRead, type ReadRow } from "../../state/readStatus.ts";
import { reduceEvent } from "../../state/reduce.ts";
import { emptySession, newestTurn, type TurnState } from "../../state/session.ts";
import { recorded } from "../../state/tests/recorded.ts";
import { type Heard, hear } from "./announce.ts";

/** Plays a turn, an event every `everyMs`, and returns what is said and when. */
function said(turns: readonly (TurnState | undefined)[], everyMs: number): string[] {
  let heard: Heard = { turn: undefined, progressAtMs: 0 };
  const words: string[] = [];
  for (const [index, turn] of turns.entries()) {
    const next = hear(heard, turn, index * everyMs);
    heard = next.heard;
    if (next.say === undefined) continue;
    const { say } = next.say;
    const phases = say === "reads" ? next.say.reads.map(({ phase }) => ` ${phase}`) : [];
    words.push(`${index * everyMs} ${say}${phases.join("")}`);
  }
  return words;
}

/** The turn of a recording after each of its events. */
function states(): (TurnState | undefined)[] {
  let state = emptySession;
  return recorded("edit_and_check").map((event) => {
    state = reduceEvent(state, event);
    return newestTurn(state);
  });
}

test("AX-1: a quick turn says that it started and that it ended, and nothing else", () => {
  expect(said(states(), 10)).toEqual(["0 started", "150 ended"]);
});

test("AX-1: a slow turn tells its progress at most every five seconds", () => {
  const lines = said(states(), 2000);
  expect(lines.at(0)).toBe("0 started");
  expect(lines.at(-1)).toBe("30000 ended");
  const times = lines.map((line) => Number.parseInt(line, 10)).slice(1, -1);
  expect(times.length).toBeGreaterThan(2);
  for (const [index, time] of times.entries()) {
    expect(time - (times[index - 1] ?? 0)).toBeGreaterThanOrEqual(5000);
  }
});

test("AX-1: a question is said at once, and once", () => {
  const [turn] = states();
  if (turn === undefined) throw new Error("no turn");
  const asking = {
    permission: "p1",
    call: "c",
    tool: "bash",
    subject: { text: "make", totalBytes: 4 },
    reason: "no_sandbox",
  } as const;
  const asked = { ...turn, asking };
  expect(said([turn, asked, { ...asked }, turn], 10)).toEqual(["0 started", "10 asking"]);
});

test("AX-1: of a read its start, pause and end are said, and none of its pages", () => {
  const [turn] = states();
  if (turn === undefined) throw new Error("no turn");
  let reads: readonly ReadRow[] = [];
  const then = (state: ReadState, covered = 1) => {
    const seq = (reads[0]?.seq ?? 0) + 1;
    const status = { readId: "r1", generation: 0, seq, path: "a.rs", intent: "full", state };
    reads = foldRead(reads, { ...status, covered: [[0, covered]], active: true });
    return { ...turn, reads };
  };
  const turns = [
    turn,
    then("fetching", 0),
    then("needs_more", 1),
    ...Array.from({ length: 50 }, (_, at) => then(at % 2 === 0 ? "fetching" : "needs_more", at)),
    then("blocked"),
    then("fetching"),
    then("satisfied"),
  ];
  expect(said(turns, 10)).toEqual([
    "0 started",
    "20 reads reading",
    "530 reads paused",
    "540 reads reading",
    "550 reads read",
  ]);
});

test("what was there when the session was opened is not told", () => {
  const last = states().at(-1);
  const heard: Heard = { turn: last, progressAtMs: 0 };
  expect(hear(heard, last, 99_999).say).toBeUndefined();
});
