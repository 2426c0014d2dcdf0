// The checks of a turn: what each came to, and what may be said of all of them (CK-3, CK-5).

import type {
  CappedText,
  CheckKind,
  CompletionReceipt,
  ToolCallId,
  TrustLevel,
} from "../bindings.ts";
import { LEVELS } from "./received.ts";
import type { Item } from "./session.ts";
import { cappedText, isRecord, isWord, listOf } from "./shape.ts";

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
  /** Failed ones where the status is `failed`, else all. */
  readonly count: number;
  /** Besides failed ones there are stale ones (CK-6). */
  readonly someStale: boolean;
  readonly rows: readonly CheckRow[];
};

/** One recorded check. */
export type CheckRow = {
  readonly call: ToolCallId;
  readonly command: CappedText;
  readonly kind: CheckKind;
  readonly state: "passed" | "failed" | "interrupted" | "stale";
  /** Something changed after it had finished, whatever it came to. */
  readonly stale: boolean;
  readonly exitCode: number | undefined;
  readonly durationMs: number | undefined;
  readonly level: TrustLevel;
};

/** What the status is decided from. */
export type CheckFacts = {
  /** A check is in progress now. */
  readonly running: boolean;
  readonly receipt: CompletionReceipt | undefined;
  /** The calls of the turn, for how long each took. */
  readonly items: readonly Item[];
};

/** Returns what is known of a turn's checks. */
export function checksView({ running, receipt, items }: CheckFacts): ChecksView {
  const rows = readChecks(receipt?.verifications, items);
  const failed = rows.filter((row) => row.state === "failed").length;
  const someStale = rows.some((row) => row.stale);
  const status = checkStatus(running, receipt, rows);
  return {
    status,
    count: status === "failed" ? failed : rows.length,
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
  if (rows.some((row) => row.state === "interrupted")) return "interrupted";
  if (rows.some((row) => row.stale)) return "stale";
  if (receipt === undefined) return "unknown";
  return rows.length > 0 ? "passed" : "none";
}

/** What is no check at all is left out; what contradicts itself did not pass (CK-3). */
function readChecks(verifications: unknown, items: readonly Item[]): CheckRow[] {
  return listOf(verifications).flatMap((check) => {
    if (!isRecord(check)) return [];
    const { toolCallId, exitCode, level } = check;
    const call = typeof toolCallId === "string" ? toolCallId : "";
    return {
      call,
      command: cappedText(check.command) ?? { text: "", totalBytes: 0 },
      kind: "declared",
      state: rowState(check),
      stale: check.stale === true,
      exitCode: typeof exitCode === "number" ? exitCode : undefined,
      durationMs: durationOf(items, call),
      level: isWord(LEVELS, level) ? level : "unknown",
    };
  });
}

function rowState(check: Record<string, unknown>): CheckRow["state"] {
  const { passed, exitCode, interrupted, stale } = check;
  if (interrupted === true) return "interrupted";
  const hasNoExit = exitCode === undefined || exitCode === null;
  if (passed !== true || !(hasNoExit || exitCode === 0)) return "failed";
  return stale === true ? "stale" : "passed";
}

function durationOf(items: readonly Item[], call: ToolCallId): number | undefined {
  for (const item of items) {
    if (item.is === "tool" && item.call === call) return item.durationMs;
  }
  return undefined;
}
