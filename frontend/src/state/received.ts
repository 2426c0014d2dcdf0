// Reads results as they were received: what is not valid becomes unknown, never zero (UI-6).

import type {
  Coverage,
  DiagnosticCode,
  FailureCode,
  FileChangeKind,
  GapReason,
  RecoveryAction,
  ResultId,
  ResultNote,
  StoppedRead,
  ToolCallId,
  TrustLevel,
} from "../bindings.ts";
import { receivedRanges } from "./readStatus.ts";
import { isCount, isRecord, isWord, listOf, stringsOf } from "./shape.ts";

/** A result that can be relied on. */
export type ReadChanges = {
  readonly id: ResultId | undefined;
  readonly coverage: Coverage;
  /** Those that came; `totalFiles` may be more. */
  readonly files: readonly FileRow[];
  readonly totalFiles: number;
  readonly added: number;
  readonly removed: number;
  readonly reasons: readonly ReadReason[];
};

/** One file of the card (UI-7). */
export type FileRow = {
  readonly path: string;
  readonly kind: FileChangeKind;
  readonly count: FileCount;
  /** Why there is no patch to show. */
  readonly unavailable: GapReason | undefined;
  readonly level: TrustLevel;
  readonly calls: readonly ToolCallId[];
};

export type FileCount =
  | { readonly is: "lines"; readonly added: number; readonly removed: number }
  | { readonly is: "binary" }
  | { readonly is: "mode_only" }
  | { readonly is: "uncounted" };

/** One reason, with all that it is about. */
export type ReadReason = {
  /** Missing where this version does not know the word; then `code` is shown. */
  readonly reason: GapReason | undefined;
  readonly code: string;
  readonly paths: readonly string[];
  readonly calls: readonly ToolCallId[];
};

/** What turns a write away besides the gate. */
export type TurnedAway = Extract<FailureCode, "denied" | "outside_workspace">;

/** One write that did not happen. */
export type RefusedView = {
  readonly call: ToolCallId;
  /** The file; for a call without a diagnostic what the call was called, if that is known. */
  readonly path: string;
  /** Missing where this version does not know the word; then `word` is shown. */
  readonly code: DiagnosticCode | undefined;
  /** What turned it away where the gate did not: the user's no, or a place outside. */
  readonly failure: TurnedAway | undefined;
  readonly word: string;
  /** What to do, in the host's words. */
  readonly recovery: string;
  readonly actions: readonly RecoveryAction[];
  readonly retryable: boolean;
};

/** Returns a result as far as it is valid; `undefined` if there is none. */
export function readChanges(diff: unknown): ReadChanges | undefined {
  if (diff === null || diff === undefined) return undefined;
  const value = isRecord(diff) ? diff : {};
  const entries = listOf(value.files);
  const files = entries.map(readFile).filter((it) => it !== undefined);
  const { id, coverage, totalFiles, added, removed } = value;
  const isValid =
    Array.isArray(value.files) &&
    files.length === entries.length &&
    [totalFiles, added, removed].every(isCount) &&
    isCount(totalFiles) &&
    totalFiles >= files.length;
  return {
    id: typeof id === "string" ? id : undefined,
    coverage: isValid && isWord(COVERAGES, coverage) ? coverage : "unknown",
    files,
    totalFiles: countOr0(totalFiles),
    added: countOr0(added),
    removed: countOr0(removed),
    reasons: readReasons(value.reasons),
  };
}

/** Returns the files of a page that was pulled; what is not valid is left out. */
export function readFiles(files: unknown): readonly FileRow[] {
  return listOf(files)
    .map(readFile)
    .filter((it) => it !== undefined);
}

function readFile(value: unknown): FileRow | undefined {
  if (!isRecord(value)) return undefined;
  const { path, kind, added, removed, unavailable, level } = value;
  if (typeof path !== "string" || path === "" || !isWord(KINDS, kind)) return undefined;
  if (!isCount(added) || !isCount(removed)) return undefined;
  return {
    path,
    kind,
    count: readCount(value, added, removed),
    unavailable: isWord(GAP_REASONS, unavailable) ? unavailable : undefined,
    level: isWord(LEVELS, level) ? level : "unknown",
    calls: stringsOf(value.callIds),
  };
}

function readCount(file: Record<string, unknown>, added: number, removed: number): FileCount {
  if (file.binary === true) return { is: "binary" };
  if (file.modeOnly === true) return { is: "mode_only" };
  if (file.uncounted === true) return { is: "uncounted" };
  return { is: "lines", added, removed };
}

/** One entry for each reason, in the order in which they came; what is no word is dropped. */
function readReasons(value: unknown): readonly ReadReason[] {
  const reasons = new Map<string, { paths: string[]; calls: string[] }>();
  for (const gap of listOf(value)) {
    if (!isRecord(gap) || typeof gap.reason !== "string") continue;
    const { reason, path, call } = gap;
    const about = reasons.get(reason) ?? { paths: [], calls: [] };
    if (typeof path === "string" && !about.paths.includes(path)) about.paths.push(path);
    if (typeof call === "string" && !about.calls.includes(call)) about.calls.push(call);
    reasons.set(reason, about);
  }
  return [...reasons].map(([code, about]) => ({
    reason: isWord(GAP_REASONS, code) ? code : undefined,
    code,
    ...about,
  }));
}

/** Returns the writes that were turned away, by the gate or by something else. */
export function readRefused(value: unknown): readonly RefusedView[] {
  return listOf(value).flatMap((entry) => {
    if (!isRecord(entry)) return [];
    const { call, failure } = entry;
    const diagnostic = isRecord(entry.diagnostic) ? entry.diagnostic : undefined;
    if (diagnostic === undefined && typeof failure !== "string") return [];
    const { code = failure, path, recovery, retryable } = diagnostic ?? {};
    const actions = listOf(diagnostic?.allowedRecovery).filter((it) => isWord(ACTIONS, it));
    return {
      call: typeof call === "string" ? call : "",
      path: typeof path === "string" ? path : "",
      code: isWord(DIAGNOSTICS, code) ? code : undefined,
      failure: isWord(TURNED_AWAY, failure) ? failure : undefined,
      word: typeof code === "string" ? code : "",
      recovery: typeof recovery === "string" ? recovery : "",
      actions,
      retryable: retryable === true,
    };
  });
}

/** Returns the reads that the user stopped (RC-25). */
export function readStopped(value: unknown): readonly StoppedRead[] {
  return listOf(value).flatMap((entry): StoppedRead[] => {
    if (!isRecord(entry) || typeof entry.path !== "string") return [];
    return [{ path: entry.path, missing: [...receivedRanges(entry.missing)] }];
  });
}

/** Returns the lines under the answer that this version knows (AN-24). */
export function readNotes(value: unknown): readonly ResultNote[] {
  return listOf(value).flatMap((entry): ResultNote[] => {
    if (!isRecord(entry)) return [];
    const { note, count } = entry;
    if (isWord(PLAIN_NOTES, note)) return [{ note }];
    return note === "writes_refused" && isCount(count) ? [{ note, count }] : [];
  });
}

const PLAIN_NOTES: Record<Exclude<ResultNote["note"], "writes_refused">, true> = {
  no_recorded_check: true,
  no_net_changes: true,
  last_check_is_old: true,
};

function countOr0(value: unknown): number {
  return isCount(value) ? value : 0;
}

const COVERAGES: Record<Coverage, true> = { complete: true, partial: true, unknown: true };

const KINDS: Record<FileChangeKind, true> = { create: true, modify: true, delete: true };

export const LEVELS: Record<TrustLevel, true> = {
  written: true,
  observed: true,
  reported: true,
  unknown: true,
};

const ACTIONS: Record<RecoveryAction, true> = { reread_target: true, abandon_edit: true };

const TURNED_AWAY: Record<TurnedAway, true> = { denied: true, outside_workspace: true };

const DIAGNOSTICS: Record<DiagnosticCode, true> = {
  WRITE_TARGET_ABSENT: true,
  WRITE_TARGET_AMBIGUOUS: true,
  WRITE_EVIDENCE_MISSING: true,
  WRITE_EVIDENCE_STALE: true,
  FS_NOT_OBSERVED: true,
  FS_STALE_VERSION: true,
  FS_NOT_FOUND: true,
  FS_ALREADY_EXISTS: true,
};

const GAP_REASONS: Record<GapReason, true> = {
  snapshot_unavailable: true,
  ownership_unknown: true,
  active_writer: true,
  size_limit: true,
  file_unavailable: true,
  external_change: true,
  result_not_saved: true,
  bash_side_effect: true,
  background_writer_cross_turn: true,
  hardlink: true,
  unreadable: true,
  oversized: true,
  capture_failed: true,
};
