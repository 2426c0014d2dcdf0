// What the sidebar says of a session: where it stands, and what its last turn came to.

import type { SessionSummary, TurnId, TurnResult } from "../../bindings.ts";
import type { ChecksView } from "../../state/checks.ts";
import { emptyTurn, newestTurn, type SessionState, type TurnState } from "../../state/session.ts";
import { type ChangesView, turnResultView } from "../../state/turnResult.ts";
import { isReadable } from "./summary.ts";

/** Where a session stands. `idle`: there is nothing to say of it. */
export type Standing =
  | "running"
  | "asking"
  | "unread"
  | "failed"
  | "partial"
  | "passed"
  | "unreadable"
  | "idle";

/** What the last turn that ended came to. */
export type LastResult = {
  readonly changes: ChangesView;
  readonly checks: ChecksView;
  readonly failed: boolean;
  readonly stopped: boolean;
  /** A whole file was to be read, and was not (RC-21). */
  readonly incompleteRead: boolean;
  /** The reads that the user stopped. */
  readonly readsStopped: number;
};

/** Returns what a turn came to; missing while it runs. */
export function lastResult(turn: TurnState): LastResult | undefined {
  const view = turnResultView(turn);
  if (view === undefined) return undefined;
  return {
    changes: view.changes,
    checks: view.checks,
    failed: view.outcome.is === "failed",
    stopped: view.outcome.is === "interrupted",
    incompleteRead: view.outcome.is === "incomplete_read",
    readsStopped: view.readsStopped.length,
  };
}

/** The same of a turn that was asked for by its number. */
export function pulledResult({ turn, outcome, receipt }: TurnResult): LastResult | undefined {
  return lastResult({ ...emptyTurn(turn), end: { outcome, receipt, at: 0 } });
}

/** Returns where a session stands. What runs or asks comes before what was. */
export function standing(
  summary: SessionSummary,
  state: SessionState | undefined,
  seen: TurnId | undefined,
  result: LastResult | undefined,
): Standing {
  if (!isReadable(summary)) return "unreadable";
  const newest = state && newestTurn(state);
  if (newest !== undefined && newest.end === undefined) {
    return newest.asking === undefined ? "running" : "asking";
  }
  if (newest !== undefined && seen !== undefined && newest.turn > seen) return "unread";
  if (result === undefined) return "idle";
  if (result.failed || result.checks.status === "failed") return "failed";
  if (result.incompleteRead || result.readsStopped > 0) return "partial";
  if (result.checks.status === "stale" || isPartial(result.changes)) return "partial";
  return result.checks.status === "passed" ? "passed" : "idle";
}

function isPartial(changes: ChangesView): boolean {
  switch (changes.is) {
    case "counted":
      return changes.partial;
    case "incomplete":
      return true;
    case "unknown":
    case "none":
      return false;
  }
}
