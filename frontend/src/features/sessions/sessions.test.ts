// The sidebar's order, and what it says of a session.

import { expect, test } from "vitest";
import type { SessionSummary } from "../../bindings.ts";
import { reduceEvent } from "../../state/reduce.ts";
import { emptySession } from "../../state/session.ts";
import { receiptOf, recorded } from "../../state/tests/recorded.ts";
import { pulledResult, standing } from "./standing.ts";
import { groupByWorkspace } from "./workspaces.ts";

const summary = (session: string, workspace: string, changedAt: number): SessionSummary => ({
  session,
  title: session,
  workspace,
  createdAt: 1,
  changedAt,
  turns: 1,
});

test("folders come by their newest session, and the same names are told apart", () => {
  const groups = groupByWorkspace([
    summary("a", "/home/you/app", 1),
    summary("b", "C:\\work\\app", 5),
    summary("c", "/home/you/app", 9),
    summary("d", "/srv/other/", 3),
  ]);
  expect(groups.map(({ name, sessions }) => [name, sessions.map((it) => it.session)])).toEqual([
    ["you/app", ["c", "a"]],
    ["work/app", ["b"]],
    ["other", ["d"]],
  ]);
});

test("a session stands where its newest turn stands, live or asked for", () => {
  const it = summary("s_0000000000000007", "/w", 1);
  const events = recorded("edit_and_check");
  const running = events.slice(0, -1).reduce(reduceEvent, emptySession);
  const ended = events.reduce(reduceEvent, emptySession);
  const result = pulledResult({
    turn: 0,
    outcome: { is: "completed" },
    receipt: receiptOf("edit_and_check", 0),
  });
  expect(standing(it, running, undefined, result)).toBe("running");
  expect(standing(it, ended, -1, result)).toBe("unread");
  expect(standing(it, ended, 0, result)).toBe("passed");
  expect(standing(it, undefined, undefined, result)).toBe("passed");
});

test("what is not known stands as nothing, not as passed", () => {
  const it = summary("a", "/w", 1);
  expect(standing(it, undefined, undefined, undefined)).toBe("idle");
  expect(standing({ ...it, unreadable: "damaged" }, undefined, undefined, undefined)).toBe(
    "unreadable",
  );
});

test("a turn that failed, and one of which a part is not accounted for, stand out", () => {
  const receipt = receiptOf("refused_and_failed", 0);
  const failure = { code: "unreachable", message: "", action: "retry" } as const;
  const failed = pulledResult({ turn: 0, outcome: { is: "failed", failure }, receipt });
  const partial = pulledResult({ turn: 0, outcome: { is: "completed" }, receipt });
  const completed = {
    outcome: { is: "completed" },
    receipt: receiptOf("edit_and_check", 0),
  } as const;
  const unread = pulledResult({ turn: 0, ...completed, outcome: { is: "incomplete_read" } });
  const readsStopped = [{ path: "a.rs", missing: [] }];
  const stopped = pulledResult({
    turn: 0,
    ...completed,
    receipt: { ...completed.receipt, readsStopped },
  });
  const it = summary("a", "/w", 1);
  expect(standing(it, undefined, undefined, pulledResult({ turn: 0, ...completed }))).toBe(
    "passed",
  );
  expect(standing(it, undefined, undefined, unread)).toBe("partial");
  expect(standing(it, undefined, undefined, stopped)).toBe("partial");
  expect(standing(it, undefined, undefined, failed)).toBe("failed");
  expect(standing(it, undefined, undefined, partial)).toBe("partial");
});
