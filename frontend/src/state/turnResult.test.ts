// The card's words, from what the host recorded and from data that is not what it should be.

import { describe, expect, test } from "vitest";
import type { CompletionReceipt, TurnChanges, TurnFile } from "../bindings.ts";
import { reduceEvent } from "./reduce.ts";
import { emptySession, emptyTurn, type TurnState } from "./session.ts";
import { receiptOf, received, recorded } from "./tests/recorded.ts";
import { detailView, type FileRow, type TurnResultView, turnResultView } from "./turnResult.ts";

function ended(receipt: CompletionReceipt | undefined): TurnState {
  const end = { outcome: { is: "completed" }, receipt, at: 1_700_000_000 } as const;
  return { ...emptyTurn(3), end };
}

function view(receipt: CompletionReceipt | undefined): TurnResultView {
  const it = turnResultView(ended(receipt));
  if (it === undefined) throw new Error("a turn that ended has a card");
  return it;
}

const quiet = receiptOf("refused_and_failed", 1);
const edited = receiptOf("edit_and_check", 0);

const withDiff = (diff: unknown) => view(received({ ...quiet, diff }));

const file: TurnFile = { path: "a.txt", kind: "modify", added: 3, removed: 1, level: "written" };

const diff = (more: Partial<TurnChanges>): TurnChanges => ({
  id: "3:1",
  turn: 3,
  coverage: "complete",
  files: [],
  totalFiles: 0,
  added: 0,
  removed: 0,
  levels: [],
  reasons: [],
  ...more,
});

const one = { files: [file], totalFiles: 1, added: 3, removed: 1 };

test("a turn that runs has no card", () => {
  expect(turnResultView(emptyTurn(0))).toBeUndefined();
});

test("a turn is named by the host's number, whatever else is here (09 row 24, UI-8)", () => {
  const log = recorded("edit_and_check").map((event) => ({ ...event, turn: event.turn + 6 }));
  const state = log.reduce(reduceEvent, emptySession);
  expect([...state.turns.keys()]).toEqual([6]);
  expect(turnResultView(state.turns.get(6) ?? emptyTurn(6))).toMatchObject({ turn: 6, label: 7 });
});

test("the recorded edit has its file, its check and its label (UI-7, UI-8)", () => {
  const state = recorded("edit_and_check").reduce(reduceEvent, emptySession);
  const card = turnResultView(state.turns.get(0) ?? emptyTurn(0));
  expect(card).toMatchObject({
    label: 1,
    resultId: "0:1700000000000000000",
    shape: "card",
    changes: { is: "counted", files: 1, added: 1, removed: 1, partial: false },
    files: [{ path: "a.txt", count: { is: "lines", added: 1, removed: 1 }, level: "written" }],
    checks: { status: "passed", count: 1, rows: [{ state: "passed", durationMs: 2 }] },
  });
});

test("the recorded refusal is partial, and names the command and what was refused", () => {
  const state = recorded("refused_and_failed").reduce(reduceEvent, emptySession);
  const card = turnResultView(state.turns.get(0) ?? emptyTurn(0));
  expect(card).toMatchObject({
    shape: "card",
    changes: { is: "incomplete" },
    reasons: [
      {
        reason: "bash_side_effect",
        calls: [{ call: "call00002", title: { text: "echo x > b.txt; exit 3" }, wasCutOff: false }],
      },
    ],
    refused: [{ code: "WRITE_EVIDENCE_MISSING", path: "a.txt", retryable: true }],
    notes: [{ note: "no_recorded_check" }, { note: "writes_refused", count: 1 }],
  });
});

describe("the change text (UI-4)", () => {
  test.each([
    ["no diff", null, { is: "unknown", missing: true }],
    ["unknown", diff({ coverage: "unknown" }), { is: "unknown", missing: false }],
    ["no files, complete", diff({}), { is: "none" }],
    ["no files, partial", diff({ coverage: "partial" }), { is: "incomplete" }],
    [
      "files, complete",
      diff(one),
      { is: "counted", files: 1, added: 3, removed: 1, partial: false },
    ],
    [
      "files, partial",
      diff({ ...one, coverage: "partial" }),
      { is: "counted", files: 1, added: 3, removed: 1, partial: true },
    ],
    [
      "more files than the event carries",
      diff({ ...one, totalFiles: 250 }),
      { is: "counted", files: 250, added: 3, removed: 1, partial: false },
    ],
  ])("%s", (_, received, expected) => {
    expect(withDiff(received).changes).toEqual(expected);
  });
});

describe("what is missing in old data is unknown, never zero and never passed (UI-5)", () => {
  test("the receipt", () => {
    const card = view(undefined);
    expect(card.changes).toEqual({ is: "unknown", missing: true });
    expect(card.checks.status).toBe("unknown");
    expect(card.shape).toBe("card");
  });

  test("the diff alone", () => {
    expect(withDiff(undefined).changes).toEqual({ is: "unknown", missing: true });
  });
});

describe("a received result that is not valid is unknown (UI-6)", () => {
  test.each([
    ["a negative counter", { ...diff(one), added: -1 }],
    ["half a line", { ...diff(one), removed: 0.5 }],
    ["a counter that is no number", { ...diff(one), added: "3" }],
    ["a counter past what is exact", { ...diff(one), added: 2 ** 53 }],
    ["no number", { ...diff(one), added: Number.NaN }],
    ["fewer files than are listed", { ...diff(one), totalFiles: 0 }],
    ["no list of files", { ...diff(one), files: null }],
    ["a file without a path", diff({ ...one, files: [{ ...file, path: "" }] })],
    ["a file with a bad counter", diff({ ...one, files: [{ ...file, added: -3 }] })],
    ["a file of another kind", { ...diff(one), files: [{ ...file, kind: "renamed" }] }],
    ["another coverage", { ...diff(one), coverage: "total" }],
    ["no object", "nothing changed"],
  ])("%s", (_, received) => {
    expect(withDiff(received).changes).toEqual({ is: "unknown", missing: false });
  });

  test("and its numbers become 0", () => {
    const card = withDiff({ ...diff(one), totalFiles: -1 });
    expect(card.totalFiles).toBe(0);
  });

  test("and reasons that are no words are dropped, words of a newer host are kept", () => {
    const reasons: unknown = [
      { reason: "size_limit", path: "a" },
      { reason: "size_limit", path: "b" },
      { reason: 7 },
      "size_limit",
      null,
      { reason: "solar_flare" },
    ];
    expect(withDiff({ ...diff({ coverage: "partial" }), reasons }).reasons).toEqual([
      { reason: "size_limit", code: "size_limit", paths: ["a", "b"], calls: [] },
      { reason: undefined, code: "solar_flare", paths: [], calls: [] },
    ]);
  });
});

test("each file says one thing about its lines (UI-7)", () => {
  const counts = (more: Partial<TurnFile>) =>
    withDiff(diff({ ...one, files: [{ ...file, ...more }] })).files.map((it) => it.count.is);
  expect(counts({})).toEqual(["lines"]);
  expect(counts({ binary: true, modeOnly: true })).toEqual(["binary"]);
  expect(counts({ modeOnly: true })).toEqual(["mode_only"]);
  expect(counts({ uncounted: true })).toEqual(["uncounted"]);
});

test("a missing level is shown as unknown (TR-32)", () => {
  const old = { path: "a.txt", kind: "modify", added: 3, removed: 1 };
  const { files } = withDiff({ ...diff(one), files: [old] });
  expect(files.map((it) => it.level)).toEqual(["unknown"]);
});

describe("the shape (UI-3)", () => {
  test("of a turn with nothing to show is one quiet line", () => {
    expect(view(quiet)).toMatchObject({
      shape: "line",
      changes: { is: "none" },
      checks: { status: "none" },
    });
  });

  test.each([
    ["files", { ...quiet, diff: diff(one) }],
    ["reasons", { ...quiet, diff: diff({ reasons: [{ reason: "active_writer" }] }) }],
    ["an unknown result", { ...quiet, diff: diff({ coverage: "unknown" }) }],
    ["checks", { ...quiet, verifications: edited.verifications }],
    ["refused writes", { ...quiet, refused: receiptOf("refused_and_failed", 0).refused }],
  ])("of a turn with %s is a card", (_, receipt) => {
    expect(view(receipt).shape).toBe("card");
  });

  test("of a turn that left something unread is a card (RC-21, RC-25)", () => {
    const missing: [number, number][] = [[2000, 2105]];
    const stopped = view({ ...quiet, readsStopped: [{ path: "a.txt", missing }] });
    expect(stopped.shape).toBe("card");
    expect(stopped.readsStopped).toEqual([{ path: "a.txt", missing }]);
    const end = { outcome: { is: "incomplete_read" }, receipt: quiet, at: 0 } as const;
    expect(turnResultView({ ...emptyTurn(0), end })?.shape).toBe("card");
  });
});

test("a stopped read that names no file is left out, and lines that are none too", () => {
  const readsStopped: unknown = [{ path: "a.txt", missing: [[3, 3], "x"] }, { missing: [] }, 7];
  const card = view(received({ ...quiet, readsStopped }));
  expect(card.readsStopped).toEqual([{ path: "a.txt", missing: [] }]);
});

test("the lines under the answer are a closed set (AN-24)", () => {
  const notes: unknown = [
    { note: "no_net_changes" },
    { note: "well_done" },
    { note: "writes_refused", count: -1 },
    "no_recorded_check",
  ];
  const card = view(received({ ...quiet, notes }));
  expect(card.notes).toEqual([{ note: "no_net_changes" }]);
});

test("refused writes are counted by the host, and one without a diagnostic is named by its call", () => {
  const call = "call00000";
  const refused = [{ call, failure: "denied" }, { call: "gone", failure: "new word" }, { call }];
  const receipt = received({ ...quiet, refused, notes: [{ note: "writes_refused", count: 7 }] });
  const turn = recorded("refused_and_failed").reduce(reduceEvent, emptySession).turns.get(0);
  if (turn?.end === undefined) throw new Error("the recording has a turn that ended");
  const card = turnResultView({ ...turn, end: { ...turn.end, receipt: received(receipt) } });
  expect(card).toMatchObject({
    shape: "card",
    writesRefused: 7,
    refused: [
      { path: "a.txt", failure: "denied", word: "denied", code: undefined },
      { path: "", failure: undefined, word: "new word", code: undefined },
    ],
  });
  expect(card?.refused).toHaveLength(2);
});

describe("the detail pane (UI-7)", () => {
  const row = (more: Partial<FileRow>): FileRow => ({
    path: "a.txt",
    kind: "modify",
    count: { is: "lines", added: 1, removed: 0 },
    unavailable: undefined,
    level: "written",
    calls: [],
    ...more,
  });
  const patch = { is: "patch", bytes: new Uint8Array([64]) } as const;
  const gone = { is: "unavailable" } as const;

  test.each([
    ["loading", row({}), { is: "loading" } as const],
    ["unavailable", row({}), gone],
    ["binary", row({ count: { is: "binary" } }), gone],
    ["mode_only", row({ count: { is: "mode_only" } }), gone],
    ["limited", row({ unavailable: "size_limit" }), gone],
    ["unavailable", row({ unavailable: "external_change" }), gone],
    ["diff", row({}), patch],
    ["no_net_changes", undefined, patch],
  ] as const)("says %s", (expected, of, pulled) => {
    expect(detailView(of, pulled)).toBe(expected);
  });
});
