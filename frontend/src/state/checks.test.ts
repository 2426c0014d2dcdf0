// The vectors of B15, and contradictory data (CK-3).

import { expect, test } from "vitest";
import type { CompletionReceipt, Verification } from "../bindings.ts";
import { type CheckStatus, checksView } from "./checks.ts";
import { receiptOf, received } from "./tests/recorded.ts";

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
