// The vectors of B15, and contradictory data (CK-3).

import { expect, test } from "vitest";
import type {
  CompletionReceipt,
  EventKind,
  SessionEvent,
  ToolCallStatus,
  Verification,
} from "../bindings.ts";
import { type CheckStatus, checksView, isChecking, turnChecks } from "./checks.ts";
import { reduceEvent } from "./reduce.ts";
import { emptySession, emptyTurn } from "./session.ts";
import { receiptOf, received, recorded } from "./tests/recorded.ts";

const check = (more: Partial<Verification>): Verification => ({
  command: { text: "npm test", totalBytes: 8 },
  kind: "declared",
  passed: true,
  toolCallId: "c0",
  ...more,
});

const receipt = (verifications: Verification[]): CompletionReceipt => ({
  ...receiptOf("edit_and_check", 0),
  verifications,
});

const pass = check({ exitCode: 0, level: "observed" });
const stale = check({ exitCode: 0, stale: true });
const fail = check({ passed: false, exitCode: 1 });
const masked = check({ exitCode: 0, qualifiers: ["masked_exit"] });
const empty = check({ exitCode: 0, qualifiers: ["no_tests", "filtered"] });
const maskedFailure = check({ exitCode: 1, qualifiers: ["masked_exit", "shared_exit"] });
const part = check({ exitCode: 0, qualifiers: ["filtered"] });
const stopped = check({ passed: false, interrupted: true });
const unfinished = check({ passed: false, qualifiers: ["unfinished"] });

const vectors: [
  of: string,
  running: boolean,
  checks: Verification[] | undefined,
  status: CheckStatus,
  count: number,
  someStale: boolean,
][] = [
  ["a check runs, whatever else", true, [fail], "running", 1, false],
  ["one pass", false, [pass], "passed", 1, false],
  ["a pass without an exit code", false, [check({})], "passed", 1, false],
  ["passed and exit 1", false, [check({ exitCode: 1 })], "failed", 1, false],
  ["a failure beside a stale pass", false, [fail, stale], "failed", 1, true],
  ["two failures of three", false, [fail, pass, fail], "failed", 2, false],
  ["an interrupted one", false, [stopped], "interrupted", 1, false],
  ["an interrupted one beside a failure", false, [stopped, fail], "failed", 1, false],
  ["an interrupted one beside a stale one", false, [stale, stopped], "interrupted", 2, false],
  ["a stale pass", false, [pass, stale], "stale", 2, false],
  ["a pass with a masked exit", false, [masked], "unknown", 1, false],
  ["no tests beside a pass", false, [empty, pass], "unknown", 1, false],
  ["a failure with a masked exit", false, [maskedFailure], "failed", 1, false],
  ["a masked exit beside a stale pass", false, [masked, stale], "stale", 2, false],
  ["a pass of a part", false, [part], "passed", 1, false],
  ["one that ran on", false, [unfinished], "unknown", 1, false],
  ["one that ran on beside a pass", false, [pass, unfinished], "unknown", 1, false],
  ["one that ran on beside a failure", false, [fail, unfinished], "failed", 1, false],
  ["no check", false, [], "none", 0, false],
  ["no receipt", false, undefined, "unknown", 0, false],
];

test.each(vectors)("%s (B15, CK-5)", (_, running, checks, status, count, someStale) => {
  const view = checksView({ running, receipt: checks && receipt(checks), items: [] });
  expect({ status: view.status, count: view.count, someStale: view.someStale }).toEqual({
    status,
    count,
    someStale,
  });
});

test("data that contradicts itself did not pass (CK-3)", () => {
  const states = (checks: unknown) => {
    const of = received<CompletionReceipt>({ ...receipt([]), verifications: checks });
    return checksView({ running: false, receipt: of, items: [] }).rows.map((it) => it.state);
  };
  expect(states([{ ...pass, passed: "true" }])).toEqual(["failed"]);
  expect(states([{ ...pass, passed: 1 }])).toEqual(["failed"]);
  expect(states([{ ...pass, exitCode: "0" }])).toEqual(["failed"]);
  expect(states([{ ...pass, exitCode: null }])).toEqual(["passed"]);
  expect(states(["npm test", null])).toEqual([]);
  expect(states("none")).toEqual([]);
});

test("a missing level is unknown (TL-1)", () => {
  const { rows } = checksView({ running: false, receipt: receipt([pass, fail]), items: [] });
  expect(rows.map((it) => it.level)).toEqual(["observed", "unknown"]);
});

/** Whether turn 0 is checking, after each of some events. */
function checking(events: readonly SessionEvent[]): boolean[] {
  let state = emptySession;
  return events.map((event) => {
    state = reduceEvent(state, event);
    return isChecking(state.turns.get(0) ?? emptyTurn(0));
  });
}

function events(...kinds: EventKind[]): SessionEvent[] {
  return kinds.map((kind, at) => ({ session: "s_7", turn: 0, seq: at + 1, at: 0, kind }));
}

const title = { text: "npm test", totalBytes: 8 };

const begun = (check?: "test"): EventKind => {
  return { type: "tool_started", call: "c0", tool: "bash", title, ...(check && { check }) };
};

const over = (status: ToolCallStatus): EventKind => {
  return { type: "tool_finished", call: "c0", tool: "bash", title, status, output: title };
};

test("a check is running from its start to its end, whatever that is (CK-2)", () => {
  for (const status of ["completed", "failed", "interrupted", "unknown"] as const) {
    expect(checking(events(begun("test"), over(status)))).toEqual([true, false]);
  }
});

test("a command that is no check is never told as one (CK-2)", () => {
  expect(checking(events(begun(), over("completed")))).toEqual([false, false]);
});

test("of a turn whose record is not whole nobody says that nothing was checked (CL-6)", () => {
  const none = checksView({ running: false, receipt: receipt([]), isPart: true, items: [] });
  expect(none).toMatchObject({ status: "unknown", count: 0 });
  const one = checksView({ running: false, receipt: receipt([fail]), isPart: true, items: [] });
  expect(one.status).toBe("failed");
});

test("a check that waits for leave, was denied or never began is not running (CK-2)", () => {
  const asked = { permission: "p0", call: "c0", tool: "bash", subject: title } as const;
  const ask: EventKind = { type: "permission_asked", ...asked, reason: "no_sandbox" };
  const deny: EventKind = {
    type: "permission_answered",
    permission: "p0",
    call: "c0",
    decision: "deny",
  };
  expect(checking(events(ask, deny, over("rejected")))).toEqual([false, false, false]);
  expect(checking(events(over("cancelled")))).toEqual([false]);
});

test("a check without an end is over with its turn, in history too (CK-2, CK-5)", () => {
  const done = (receipt: CompletionReceipt): EventKind => {
    return { type: "turn_done", outcome: { is: "interrupted" }, receipt };
  };
  const list = events(begun("test"), done(receipt([stopped])));
  expect(checking(list)).toEqual([true, false]);
  const turn = list.reduce(reduceEvent, emptySession).turns.get(0) ?? emptyTurn(0);
  expect(turnChecks(turn).status).toBe("interrupted");
});

test("the recorded check runs from its start to its end and then passed (CK-5)", () => {
  const log = recorded("edit_and_check");
  const running = checking(log);
  const start = log.findIndex(({ kind }) => kind.type === "tool_started" && kind.check != null);
  const end = log.findIndex(({ kind }) => kind.type === "tool_finished" && kind.tool === "bash");
  expect(running).toEqual(log.map((_, at) => start <= at && at < end));
  const turn = log.reduce(reduceEvent, emptySession).turns.get(0) ?? emptyTurn(0);
  expect(turnChecks(turn).status).toBe("passed");
});

test("a turn that was interrupted while a check was live says so (CK-5)", () => {
  const of = (interrupted: boolean, checks: Verification[]) => {
    const cut = { ...receipt(checks), interrupted };
    return checksView({ running: false, receipt: cut, items: [] }).status;
  };
  expect(of(true, [pass, unfinished])).toBe("interrupted");
  expect(of(true, [fail, unfinished])).toBe("failed");
  expect(of(true, [pass])).toBe("passed");
});

test("a check in the background runs until it ends, or until its turn does (CK-2, CK-5)", () => {
  const log = recorded("background_check").filter((it) => it.turn === 0);
  const start = log.findIndex(({ kind }) => kind.type === "tool_started");
  expect(checking(log)).toEqual(log.map((_, at) => start <= at && at < log.length - 1));
  const state = recorded("background_check").reduce(reduceEvent, emptySession);
  const [first, second] = [0, 1].map((turn) =>
    turnChecks(state.turns.get(turn) ?? emptyTurn(turn)),
  );
  expect(first).toMatchObject({ status: "unknown", rows: [{ qualifiers: ["unfinished"] }] });
  expect(second).toMatchObject({ status: "interrupted", count: 1 });
});
