// The rows of reads: what holds, what is dropped, and what is shown beside the conversation.

import { describe, expect, test } from "vitest";
import type {
  EventKind,
  LineRange,
  ReadState,
  ReadStatus,
  SessionEvent,
  TurnOutcome,
} from "../bindings.ts";
import {
  canStop,
  foldRead,
  pauseGroup,
  type ReadRow,
  resumeLine,
  SHOWN_READS,
  shownReads,
} from "./readStatus.ts";
import { foldPage, reduceEvent } from "./reduce.ts";
import { emptySession, newestTurn, type SessionState } from "./session.ts";
import { pagesOf, receiptOf, received } from "./tests/recorded.ts";

function status(seq: number, more: Partial<ReadStatus> = {}): ReadStatus {
  return {
    version: 2,
    readId: "read-0-1",
    generation: 0,
    seq,
    path: "logs/build.txt",
    intent: "full",
    state: "needs_more",
    covered: [[0, seq * 100]],
    missing: [],
    hasMore: true,
    active: true,
    ...more,
  };
}

const said = (of: ReadStatus): EventKind => ({ type: "read_status_changed", status: of });

const begin: EventKind = {
  type: "turn_started",
  result: "0:1",
  prompt: { text: "Read it all.", totalBytes: 12 },
  model: "scripted",
  preset: "workspace-write",
};

const end = (outcome: TurnOutcome = { is: "completed" }): EventKind => ({
  type: "turn_done",
  outcome,
  receipt: receiptOf("edit_and_check", 0),
});

/** The events of a session, one after the other. */
function told(...kinds: [turn: number, kind: EventKind][]): SessionEvent[] {
  return kinds.map(([turn, kind], at) => ({
    session: "s_1",
    turn,
    seq: at + 1,
    at: 1_700_000_000,
    kind,
  }));
}

const fold = (...kinds: [turn: number, kind: EventKind][]) =>
  told(...kinds).reduce(reduceEvent, emptySession);

const rowsOf = (state: SessionState, turn = 0): readonly ReadRow[] =>
  state.turns.get(turn)?.reads ?? [];

const place = (rows: readonly ReadRow[]) =>
  rows.map(({ readId, generation, seq }) => [readId, generation, seq]);

const hundred = Array.from({ length: 100 }, (_, at): [number, EventKind] => [
  0,
  said(status(at + 1)),
]);

describe("B22: the frames of one read (RS-3, RS-4)", () => {
  const rows = rowsOf(fold([0, begin], ...hundred));

  test("a hundred of them leave one row, with the last", () => {
    expect(place(rows)).toEqual([["read-0-1", 0, 100]]);
    expect(rows[0]?.covered).toEqual([[0, 10_000]]);
  });

  test("those that come late change nothing", () => {
    expect(foldRead(rows, status(60))).toBe(rows);
    expect(foldRead(rows, status(40))).toBe(rows);
    expect(foldRead(rows, status(100, { path: "other" }))).toBe(rows);
  });

  test("a higher generation takes the row over, whatever its number", () => {
    const next = foldRead(rows, status(1, { generation: 2, covered: [] }));
    expect(place(next)).toEqual([["read-0-1", 2, 1]]);
    expect(foldRead(next, status(101))).toBe(next);
  });

  test("one of another turn changes nothing in this one", () => {
    const state = fold([0, begin], [0, end()], [1, begin], [1, said(status(3))]);
    const [straggler] = told([0, said(status(9))]);
    if (straggler === undefined) throw new Error("no event");
    const later = reduceEvent(state, { ...straggler, seq: 9 });
    expect(newestTurn(later)).toBe(newestTurn(state));
    expect(rowsOf(later, 0)).toEqual([]);
  });
});

test("RS-3: a frame that names no read, or no place in it, is dropped", () => {
  const rows = foldRead([], status(1));
  for (const wrong of [{ readId: "" }, { readId: null }, { seq: -1 }, { generation: "1" }]) {
    expect(foldRead(rows, received({ ...status(2), ...wrong }))).toBe(rows);
  }
  expect(foldRead(rows, received({ ...status(2), state: "sleeping" }))).toBe(rows);
  expect(foldRead(rows, null)).toBe(rows);
});

test("RS-3: a frame after the end of its turn is dropped", () => {
  const state = fold([0, begin], [0, said(status(1))], [0, end()], [0, said(status(2))]);
  expect(place(rowsOf(state))).toEqual([["read-0-1", 0, 1]]);
});

test("RS-3: a frame of another session is dropped", () => {
  const state = fold([0, begin], [0, said(status(1))]);
  const [other] = told([0, said(status(2))]);
  if (other === undefined) throw new Error("no event");
  expect(reduceEvent(state, { ...other, session: "s_2", seq: 9 })).toBe(state);
});

test("RS-8: the end of the turn leaves nothing active", () => {
  const before = fold([0, begin], [0, said(status(1))]);
  expect(rowsOf(before)[0]?.active).toBe(true);
  expect(rowsOf(fold([0, begin], [0, said(status(1))], [0, end()]))[0]?.active).toBe(false);
});

test("RS-8: a cancelled frame ends its row and no other", () => {
  const state = fold(
    [0, begin],
    [0, said(status(1))],
    [0, said(status(2, { readId: "read-0-2", path: "src/auth.rs" }))],
    [0, said(status(3, { state: "cancelled" }))],
  );
  const shown = shownReads(rowsOf(state), true);
  expect(shown.map(({ row, phase }) => [row.path, phase, row.active])).toEqual([
    ["logs/build.txt", "stopped", false],
    ["src/auth.rs", "reading", true],
  ]);
  expect(shown.map(canStop)).toEqual([false, true]);
});

test("RS-8: of a new turn none of the rows before is shown", () => {
  const paused = status(2, { state: "blocked", reason: "page_budget", active: false });
  const state = fold([0, begin], [0, said(paused)], [0, end({ is: "incomplete_read" })]);
  expect(shownReads(newestTurn(state)?.reads ?? [], false)).toHaveLength(1);
  const next = reduceEvent(state, {
    session: "s_1",
    turn: 1,
    seq: 9,
    at: 1_700_000_001,
    kind: begin,
  });
  expect(newestTurn(next)?.reads).toEqual([]);
});

test("AN-3: reads say the same as pages in any order, and as live frames", () => {
  const events = told(
    [0, begin],
    [0, said(status(1))],
    [0, said(status(3))],
    [0, said(status(2))],
    [0, end({ is: "incomplete_read" })],
    [1, begin],
    [1, said(status(1, { readId: "read-1-1" }))],
    [1, said(status(2, { readId: "read-1-1", state: "satisfied", missing: [] }))],
    [1, end()],
    [2, begin],
    [2, said(status(1, { readId: "read-2-1" }))],
  );
  const live = events.reduce(reduceEvent, emptySession);
  const pages = pagesOf(events);
  expect(pages.reduce(foldPage, emptySession)).toEqual(live);
  expect([...pages].reverse().reduce(foldPage, emptySession)).toEqual(live);
  const [first, ...others] = events;
  if (first === undefined) throw new Error("no event");
  const half = others.reduce(reduceEvent, emptySession);
  expect([...pages, ...pages].reduce(foldPage, half)).toEqual(live);
  expect(events.reduce(reduceEvent, live)).toBe(live);
});

test("ranges are taken in order, and what is none is left out", () => {
  const wild = received<LineRange[]>([[720, 1000], [5, 5], [9, 3], [0, 400], "x", [1], [-1, 4]]);
  expect(foldRead([], status(1, { covered: wild }))[0]?.covered).toEqual([
    [0, 400],
    [720, 1000],
  ]);
});

test("RS-5: a read that one page was enough for is told by its call alone", () => {
  const states: ReadState[] = ["created", "fetching", "delivered", "satisfied"];
  for (const intent of ["inspect", "range", "full"] as const) {
    const rows = states.reduce<readonly ReadRow[]>(
      (rows, state, at) =>
        foldRead(rows, status(at, { intent, state, covered: at < 2 ? [] : [[0, 9]] })),
      [],
    );
    expect(shownReads(rows, true)).toEqual([]);
  }
  const more = foldRead([], status(1, { intent: "inspect" }));
  expect(shownReads(more, true)).toEqual([]);
});

test("RS-7: while the turn runs the shown rows get no fewer, and keep their order", () => {
  let rows: readonly ReadRow[] = [];
  let before = 0;
  for (let read = 0; read < 9; read += 1) {
    const readId = `read-0-${read}`;
    for (const more of [{}, { state: "satisfied", active: false } as const]) {
      rows = foldRead(
        rows,
        status(rows.length * 2 + Object.keys(more).length, { readId, ...more }),
      );
      const shown = shownReads(rows, true);
      expect(shown.length).toBeGreaterThanOrEqual(before);
      expect(shown.length).toBeLessThanOrEqual(SHOWN_READS);
      expect(shown.at(-1)?.row.readId).toBe(readId);
      before = shown.length;
    }
  }
});

test("a read that is open is shown, however many are", () => {
  const rows = Array.from({ length: 6 }, (_, at) => status(at, { readId: `read-0-${at}` })).reduce<
    readonly ReadRow[]
  >(foldRead, []);
  expect(shownReads(rows, true)).toHaveLength(6);
});

test("RC-21: a whole file that was not read to its end stands as paused after the turn", () => {
  const rows = [
    status(1),
    status(2, { readId: "read-0-2", intent: "range" }),
    status(3, { readId: "read-0-3", state: "needs_scope", reason: "no_cursor" }),
    status(4, { readId: "read-0-4", state: "cancelled" }),
  ].reduce<readonly ReadRow[]>(foldRead, []);
  expect(shownReads(rows, false).map(({ row, phase }) => [row.readId, phase])).toEqual([
    ["read-0-1", "paused"],
    ["read-0-3", "paused"],
  ]);
});

test.each([
  ["no_progress", "stalled"],
  ["page_budget", "budget"],
  ["time_budget", "budget"],
  ["no_headroom", "budget"],
  ["unknown_window", "budget"],
  ["unversioned_source", "source"],
  ["no_cursor", "source"],
] as const)("RS-6: a pause because of %s is of the group %s", (reason, group) => {
  expect(pauseGroup(reason)).toBe(group);
});

test("a read goes on from the line that the host names, or else from the first that is missing", () => {
  const [row] = foldRead([], status(1, { covered: [[0, 400]], missing: [[400, 720]] }));
  if (row === undefined) throw new Error("no row");
  expect(resumeLine({ ...row, recovery: { offset: 26_000, limit: 2000 } })).toBe(26_001);
  expect(resumeLine(row)).toBe(401);
  expect(resumeLine({ ...row, missing: [] })).toBe(401);
  expect(resumeLine({ ...row, missing: [], covered: [] })).toBe(1);
});
