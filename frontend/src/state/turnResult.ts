// What the card says about one turn, as closed words: the components turn them into text.

import type {
  CappedText,
  ResultId,
  ResultNote,
  StoppedRead,
  ToolCallId,
  TurnId,
  TurnOutcome,
  UnixSeconds,
} from "../bindings.ts";
import { type ChecksView, turnChecks } from "./checks.ts";
import {
  type FileRow,
  type ReadChanges,
  type ReadReason,
  type RefusedView,
  readChanges,
  readNotes,
  readRefused,
  readStopped,
} from "./received.ts";
import type { TurnState } from "./session.ts";

export type { FileCount, FileRow, RefusedView } from "./received.ts";

/** The card of one turn that ended. */
export type TurnResultView = {
  readonly turn: TurnId;
  /** What the screen calls the turn (UI-8). */
  readonly label: number;
  /** Missing in old data. */
  readonly resultId: ResultId | undefined;
  /** Missing where nobody saw the end: nothing was frozen. */
  readonly frozenAt: UnixSeconds | undefined;
  readonly outcome: TurnOutcome;
  /** A turn without anything to show is one quiet line (UI-3). */
  readonly shape: "card" | "line";
  readonly changes: ChangesView;
  /** Those that the event carries; `totalFiles` may be more, and the others are pulled. */
  readonly files: readonly FileRow[];
  readonly totalFiles: number;
  /** Why the coverage is not complete; one entry for each reason. */
  readonly reasons: readonly ReasonView[];
  readonly checks: ChecksView;
  /** As the host counted them, which is also what a terminal says. */
  readonly writesRefused: number;
  /** Those that the event carries. */
  readonly refused: readonly RefusedView[];
  /** The lines under the answer (AN-24). */
  readonly notes: readonly ResultNote[];
  /** The reads that the user stopped (RC-25). */
  readonly readsStopped: readonly StoppedRead[];
};

/** The change text (UI-4). "Unknown" and "none" are different things. */
export type ChangesView =
  /** `missing`: old data says nothing at all (UI-5). */
  | { readonly is: "unknown"; readonly missing: boolean }
  | { readonly is: "none" }
  /** Nothing was counted, and something may have happened. */
  | { readonly is: "incomplete" }
  | {
      readonly is: "counted";
      readonly files: number;
      readonly added: number;
      readonly removed: number;
      readonly partial: boolean;
    };

/** One reason, with all that it is about. */
export type ReasonView = Omit<ReadReason, "calls"> & { readonly calls: readonly CallName[] };

/** A call, and what it was called on the screen. */
export type CallName = {
  readonly call: ToolCallId;
  readonly title: CappedText | undefined;
  /** It was stopped, or nobody saw its end. */
  readonly wasCutOff: boolean;
};

/** What the detail pane shows of one file (UI-7). */
export type DetailView =
  | "loading"
  | "unavailable"
  | "binary"
  | "mode_only"
  | "limited"
  | "diff"
  | "no_net_changes";

/** The patch of a file, as far as it was pulled. */
export type PulledPatch =
  | { readonly is: "loading" }
  | { readonly is: "unavailable" }
  | { readonly is: "patch"; readonly bytes: Uint8Array };

/** Returns the card of a turn; a turn that runs has none yet. */
export function turnResultView(turn: TurnState): TurnResultView | undefined {
  if (turn.end === undefined) return undefined;
  const { receipt, outcome, at } = turn.end;
  const read = readChanges(receipt?.diff);
  const checks = turnChecks(turn);
  const refused = readRefused(receipt?.refused).map((it) => named(turn, it));
  const notes = readNotes(receipt?.notes);
  const writesRefused = notes.find((it) => it.note === "writes_refused")?.count ?? refused.length;
  // Of a turn whose end nobody saw no receipt was written; of an old one it had no place.
  const isOld = outcome.is !== "unknown";
  const changes = read === undefined ? unknownChanges(isOld) : changesView(read);
  const reasons = read?.reasons ?? [];
  const readsStopped = readStopped(receipt?.readsStopped);
  const isQuiet =
    changes.is === "none" &&
    checks.status === "none" &&
    writesRefused === 0 &&
    readsStopped.length === 0 &&
    outcome.is !== "incomplete_read" &&
    reasons.length === 0;
  return {
    turn: turn.turn,
    label: turn.turn + 1,
    resultId: read?.id ?? turn.result,
    frozenAt: at,
    outcome,
    shape: isQuiet ? "line" : "card",
    changes,
    files: read?.files ?? [],
    totalFiles: read?.totalFiles ?? 0,
    reasons: reasons.map(({ calls, ...reason }) => ({
      ...reason,
      calls: calls.map((call) => nameOf(turn, call)),
    })),
    checks,
    writesRefused,
    refused,
    notes,
    readsStopped,
  };
}

/** Only the gate names the file; of the others the call says what they were about. */
function named(turn: TurnState, refused: RefusedView): RefusedView {
  if (refused.path !== "") return refused;
  return { ...refused, path: nameOf(turn, refused.call).title?.text ?? "" };
}

const unknownChanges = (missing: boolean): ChangesView => ({ is: "unknown", missing });

function changesView(read: ReadChanges): ChangesView {
  const { added, removed, totalFiles: files } = read;
  switch (read.coverage) {
    case "unknown":
      return unknownChanges(false);
    case "complete":
      if (files === 0) return { is: "none" };
      return { is: "counted", files, added, removed, partial: false };
    case "partial":
      if (files === 0) return { is: "incomplete" };
      return { is: "counted", files, added, removed, partial: true };
  }
}

function nameOf(turn: TurnState, call: ToolCallId): CallName {
  for (const item of turn.items) {
    if (item.is !== "tool" || item.call !== call) continue;
    const wasCutOff = item.status === "interrupted" || item.status === "unknown";
    return { call, title: item.title, wasCutOff };
  }
  return { call, title: undefined, wasCutOff: false };
}

/** Returns what the detail pane shows. A missing file is one that the result does not list. */
export function detailView(file: FileRow | undefined, patch: PulledPatch): DetailView {
  if (file === undefined) return "no_net_changes";
  if (patch.is === "loading") return "loading";
  if (file.count.is === "binary") return "binary";
  if (file.count.is === "mode_only") return "mode_only";
  if (file.unavailable === "size_limit") return "limited";
  if (patch.is === "unavailable") return "unavailable";
  return patch.bytes.length === 0 ? "no_net_changes" : "diff";
}
