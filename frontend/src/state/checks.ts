// The checks of a turn: what each came to, and what may be said of all of them (CK-3, CK-5).

import type {
  CappedText,
  CheckCounts,
  CheckKind,
  CheckQualifier,
  CompletionReceipt,
  Fingerprint,
  ToolCallId,
  TrustLevel,
} from "../bindings.ts";
import { LEVELS } from "./received.ts";
import type { Item, TurnState } from "./session.ts";
import { cappedText, isCount, isRecord, isWord, listOf } from "./shape.ts";

/** The seven things that can be said of a turn's checks (CK-5). */
export type CheckStatus =
  | "running"
  | "failed"
  | "interrupted"
  | "stale"
  | "passed"
  | "none"
  | "unknown";

/** The checks of one turn. */
export type ChecksView = {
  readonly status: CheckStatus;
  /** Those that the status speaks of: the failed ones, those that prove nothing, or all. */
  readonly count: number;
  /** Besides failed ones there are stale ones (CK-6). */
  readonly someStale: boolean;
  readonly rows: readonly CheckRow[];
};

/** One recorded check. */
export type CheckRow = {
  readonly call: ToolCallId;
  readonly command: CappedText;
  /** A kind of a newer host is none that is known here. */
  readonly kind: CheckKind | undefined;
  /** `unknown`: it ended with 0, and that proves nothing (CH-3), or it had not ended yet. */
  readonly state: "passed" | "failed" | "interrupted" | "stale" | "unknown";
  /** Something changed after it had finished, whatever it came to. */
  readonly stale: boolean;
  readonly exitCode: number | undefined;
  readonly durationMs: number | undefined;
  readonly level: TrustLevel;
  readonly qualifiers: readonly CheckQualifier[];
  /** What the runner counted itself. */
  readonly counts: CheckCounts | undefined;
  /** Where it ran, if not in the workspace itself. */
  readonly cwd: string | undefined;
  /** Names its log; without it there is none (LG-2). */
  readonly result: Fingerprint | undefined;
};

/** What the status is decided from. */
export type CheckFacts = {
  /** A check is in progress now. */
  readonly running: boolean;
  readonly receipt: CompletionReceipt | undefined;
  /** The record of the turn is not whole, so that a check may be missing (CL-6). */
  readonly isPart?: boolean;
  /** The calls of the turn, for how long each took. */
  readonly items: readonly Item[];
};

/** Returns what is known of the checks of a turn, whether it runs or has ended. */
export function turnChecks(turn: TurnState): ChecksView {
  const { end, items } = turn;
  const isPart = end?.outcome.is === "unknown";
  return checksView({ running: isChecking(turn), receipt: end?.receipt, isPart, items });
}

/** Whether a check of the turn is in progress. With its turn it is over (CK-2). */
export function isChecking({ end, items }: TurnState): boolean {
  return end === undefined && items.some(isRunningCheck);
}

function isRunningCheck(item: Item): boolean {
  switch (item.is) {
    case "tool":
      return item.check !== undefined && item.status === "running";
    case "job":
      return item.check !== undefined && item.state === "running";
    case "message":
    case "notice":
      return false;
  }
}

/** Returns what is known of a turn's checks. */
export function checksView({ running, receipt, isPart, items }: CheckFacts): ChecksView {
  const rows = readChecks(receipt?.verifications, items);
  const count = (state: CheckRow["state"]) => rows.filter((row) => row.state === state).length;
  const someStale = rows.some((row) => row.stale);
  const said = checkStatus(running, receipt, rows);
  const status = said === "none" && isPart ? "unknown" : said;
  return {
    status,
    count: status === "failed" || status === "unknown" ? count(status) : rows.length,
    someStale: status === "failed" && someStale,
    rows,
  };
}

/** The order is the rule: the first that holds is said. */
function checkStatus(
  running: boolean,
  receipt: CompletionReceipt | undefined,
  rows: readonly CheckRow[],
): CheckStatus {
  if (running) return "running";
  if (rows.some((row) => row.state === "failed")) return "failed";
  const wasLive = rows.some((row) => row.qualifiers.includes("unfinished"));
  if (receipt?.interrupted === true && wasLive) return "interrupted";
  if (rows.some((row) => row.state === "interrupted")) return "interrupted";
  if (rows.some((row) => row.stale)) return "stale";
  if (receipt === undefined || rows.some((row) => row.state === "unknown")) return "unknown";
  return rows.length > 0 ? "passed" : "none";
}

/** What is no check at all is left out; what contradicts itself did not pass (CK-3). */
function readChecks(verifications: unknown, items: readonly Item[]): CheckRow[] {
  return listOf(verifications).flatMap((check) => {
    if (!isRecord(check)) return [];
    const { toolCallId, exitCode, level, kind, cwd, toolResultId, durationMs } = check;
    const call = typeof toolCallId === "string" ? toolCallId : "";
    return {
      call,
      command: cappedText(check.command) ?? { text: "", totalBytes: 0 },
      kind: isWord(KINDS, kind) ? kind : undefined,
      state: rowState(check),
      stale: check.stale === true,
      exitCode: typeof exitCode === "number" ? exitCode : undefined,
      durationMs: isCount(durationMs) ? durationMs : durationOf(items, call),
      level: isWord(LEVELS, level) ? level : "unknown",
      qualifiers: qualifiersOf(check),
      counts: readCounts(check.counts),
      cwd: typeof cwd === "string" ? cwd : undefined,
      result: typeof toolResultId === "string" ? toolResultId : undefined,
    };
  });
}

function rowState(check: Record<string, unknown>): CheckRow["state"] {
  const { passed, exitCode, interrupted, stale } = check;
  if (interrupted === true) return "interrupted";
  if (qualifiersOf(check).includes("unfinished")) return "unknown";
  const hasNoExit = exitCode === undefined || exitCode === null;
  if (passed !== true || !(hasNoExit || exitCode === 0)) return "failed";
  if (stale === true) return "stale";
  return qualifiersOf(check).some(provesNothing) ? "unknown" : "passed";
}

function qualifiersOf({ qualifiers }: Record<string, unknown>): readonly CheckQualifier[] {
  return listOf(qualifiers).filter((it) => isWord(QUALIFIERS, it));
}

/** Whether a status of 0 says nothing with it (CH-3). */
function provesNothing(qualifier: CheckQualifier): boolean {
  switch (qualifier) {
    case "masked_exit":
    case "no_tests":
    case "unfinished":
      return true;
    case "shared_exit":
    case "filtered":
      return false;
  }
}

function readCounts(value: unknown): CheckCounts | undefined {
  if (!isRecord(value)) return undefined;
  const { passed, failed, skipped } = value;
  if (!isCount(passed) || !isCount(failed) || !isCount(skipped)) return undefined;
  return { passed, failed, skipped };
}

const KINDS: Record<CheckKind, true> = {
  declared: true,
  test: true,
  type_check: true,
  lint: true,
  build: true,
  unclassified: true,
};

const QUALIFIERS: Record<CheckQualifier, true> = {
  masked_exit: true,
  shared_exit: true,
  no_tests: true,
  filtered: true,
  unfinished: true,
};

function durationOf(items: readonly Item[], call: ToolCallId): number | undefined {
  for (const item of items) {
    if (item.is === "tool" && item.call === call) return item.durationMs;
  }
  return undefined;
}
