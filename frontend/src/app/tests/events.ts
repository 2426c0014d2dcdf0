// Events as Rust records them, written by hand for the sessions that are looked at and tested.

import type {
  CappedText,
  CompletionReceipt,
  EventKind,
  ReadStatus,
  SessionEvent,
  SessionId,
  TurnFile,
  TurnOutcome,
  Verification,
} from "../../bindings.ts";

export const capped = (text: string): CappedText => ({
  text,
  totalBytes: new TextEncoder().encode(text).length,
});

/** Writes the events of one session, numbered and dated. */
export function log(session: SessionId, startedAt: number) {
  const events: SessionEvent[] = [];
  return {
    events,
    add: (turn: number, ...kinds: EventKind[]) => {
      for (const kind of kinds) {
        events.push({
          session,
          turn,
          seq: events.length * 3 + 2,
          at: startedAt + events.length,
          kind,
        });
      }
    },
  };
}

export const started = (
  turn: number,
  prompt: string,
  preset = "workspace-write" as const,
): EventKind => ({
  type: "turn_started",
  result: `${turn}:1700000000000000000`,
  prompt: capped(prompt),
  model: "deepseek-v4-pro",
  preset,
});
export const said = (message: string, text: string, reasoning?: string): EventKind => ({
  type: "message_committed",
  message,
  text: capped(text),
  ...(reasoning === undefined ? {} : { reasoning: capped(reasoning) }),
  interrupted: false,
});
export const begun = (call: string, tool: string, title: string): EventKind => ({
  type: "tool_started",
  call,
  tool,
  title: capped(title),
});
export const ended = (
  call: string,
  tool: string,
  title: string,
  output: string,
  rest: Partial<Extract<EventKind, { type: "tool_finished" }>> = {},
): EventKind => ({
  type: "tool_finished",
  call,
  tool,
  title: capped(title),
  status: "completed",
  output: capped(output),
  durationMs: 12,
  ...rest,
});
export const used = (message: string, input: number, hit: number, output: number): EventKind => ({
  type: "usage_reported",
  message,
  usage: {
    inputTokens: input,
    cacheHitTokens: hit,
    cacheMissTokens: input - hit,
    outputTokens: output,
  },
});
export const file = (
  path: string,
  kind: TurnFile["kind"],
  added: number,
  removed: number,
): TurnFile => ({
  path,
  kind,
  added,
  removed,
  level: "written",
  callIds: ["c1"],
});

export function receipt(turn: number, files: TurnFile[], rest: Partial<CompletionReceipt> = {}) {
  const sum = (of: (it: TurnFile) => number) => files.reduce((total, it) => total + of(it), 0);
  return {
    diff: {
      id: `${turn}:1700000000000000000`,
      turn,
      coverage: "complete",
      files,
      totalFiles: files.length,
      added: sum((it) => it.added),
      removed: sum((it) => it.removed),
      levels: [],
      reasons: [],
    },
    interrupted: false,
    verdict: "unknown",
    assessmentKind: "facts",
    verifications: [],
    refused: [],
    notes: [],
    ...rest,
  } satisfies CompletionReceipt;
}

/** A check that the project declares, and how it went. */
export const check = (
  call: string,
  command: string,
  exitCode: number | null,
  rest: Partial<Verification> = {},
): Verification => ({
  command: capped(command),
  kind: "declared",
  passed: exitCode === 0,
  exitCode,
  toolCallId: call,
  level: "observed",
  ...rest,
});

/** Where a read stands now: of a whole file, of which the model has had some pages. */
export const reading = (
  seq: number,
  path: string,
  covered: ReadStatus["covered"],
  rest: Partial<ReadStatus> = {},
): EventKind => ({
  type: "read_status_changed",
  status: {
    version: 2,
    readId: "read-0-1",
    generation: 0,
    seq,
    path,
    intent: "full",
    state: "needs_more",
    verdict: "full_read_pending",
    covered,
    missing: [],
    hasMore: true,
    active: true,
    ...rest,
  },
});

/** The end of a turn. */
export const done = (
  of: CompletionReceipt,
  outcome: TurnOutcome = { is: "completed" },
): EventKind => ({ type: "turn_done", outcome, receipt: of });
