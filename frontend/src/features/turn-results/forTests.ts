// For tests: results as the card gets them.

import type { CheckRow } from "../../state/checks.ts";
import type { FileRow, TurnResultView } from "../../state/turnResult.ts";

export function file(path: string, more: Partial<FileRow> = {}): FileRow {
  return {
    path,
    kind: "modify",
    count: { is: "lines", added: 1, removed: 1 },
    unavailable: undefined,
    level: "written",
    calls: [],
    ...more,
  };
}

export function check(command: string, more: Partial<CheckRow> = {}): CheckRow {
  return {
    call: `call of ${command}`,
    command: { text: command, totalBytes: command.length },
    kind: "declared",
    state: "passed",
    stale: false,
    exitCode: 0,
    durationMs: 4200,
    level: "observed",
    qualifiers: [],
    counts: undefined,
    cwd: undefined,
    result: undefined,
    ...more,
  };
}

/** A turn in which nothing happened; a test says what did. */
export function view(more: Partial<TurnResultView> = {}): TurnResultView {
  return {
    turn: 6,
    label: 7,
    resultId: "6:1700000000000000000",
    frozenAt: 1_700_000_000,
    outcome: { is: "completed" },
    shape: "card",
    changes: { is: "none" },
    files: [],
    totalFiles: 0,
    reasons: [],
    checks: { status: "none", count: 0, someStale: false, rows: [] },
    writesRefused: 0,
    refused: [],
    notes: [],
    readsStopped: [],
    ...more,
  };
}

/** A turn that changed these files. */
export function viewOf(...files: FileRow[]): TurnResultView {
  const changes = { is: "counted", files: files.length, added: 1, removed: 1 } as const;
  return view({ changes: { ...changes, partial: false }, files, totalFiles: files.length });
}
