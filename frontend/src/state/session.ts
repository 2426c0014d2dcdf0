// What the screen knows of one session: a map of turns, folded from events and never edited.

import type {
  AskReason,
  CappedText,
  CheckKind,
  CompletionReceipt,
  Diagnostic,
  JobId,
  JobState,
  MessageId,
  Notice,
  PermissionId,
  Preset,
  ResultId,
  Seq,
  SessionId,
  ToolCallId,
  ToolCallStatus,
  ToolFailure,
  TurnId,
  TurnOutcome,
  UnixSeconds,
  Usage,
} from "../bindings.ts";
import type { ReadRow } from "./readStatus.ts";

/** One session, as far as it was loaded. */
export type SessionState = {
  /** The session that the first event named; events of another are dropped. */
  readonly session: SessionId | undefined;
  /** Each turn is folded on its own, so pages may come in any order (AN-3). */
  readonly turns: ReadonlyMap<TurnId, TurnState>;
};

/** One turn, from its prompt to its result. */
export type TurnState = {
  readonly turn: TurnId;
  /** The last event that was folded in; one at or below it is a repeat. */
  readonly seq: Seq;
  readonly result: ResultId | undefined;
  readonly prompt: CappedText | undefined;
  readonly model: string;
  readonly preset: Preset | undefined;
  readonly startedAt: UnixSeconds | undefined;
  /** In the order in which they came. */
  readonly items: readonly Item[];
  /** The reads of files, in the order in which they began; those of the newest turn are shown. */
  readonly reads: readonly ReadRow[];
  /** Text that no event carries yet. */
  readonly streaming: Streaming | undefined;
  /** The question that waits for the user. */
  readonly asking: Asking | undefined;
  /** What each request cost, as far as the provider said. */
  readonly usage: readonly MessageUsage[];
  /** Missing while the turn runs. */
  readonly end: TurnEnd | undefined;
};

/** One thing in the transcript of a turn. */
export type Item = MessageItem | ToolItem | NoticeItem | JobItem;

export type MessageItem = {
  readonly is: "message";
  readonly message: MessageId;
  readonly text: CappedText;
  readonly reasoning: CappedText | undefined;
  readonly interrupted: boolean;
};

export type ToolItem = {
  readonly is: "tool";
  readonly call: ToolCallId;
  readonly tool: string;
  readonly title: CappedText;
  /** What it checks; missing where the host knows it as no check, or where it never started. */
  readonly check?: CheckKind | undefined;
  readonly status: ToolCallStatus;
  readonly output: CappedText | undefined;
  readonly exitCode: number | undefined;
  readonly durationMs: number | undefined;
  readonly failure: ToolFailure | undefined;
  readonly refusal: Diagnostic | undefined;
  /** Missing where the call never started. */
  readonly startedAt: UnixSeconds | undefined;
};

/** A background job, as it stood when the turn last told of it. */
export type JobItem = {
  readonly is: "job";
  readonly job: JobId;
  readonly title: CappedText;
  /** What it checks; missing where it is no check. */
  readonly check?: CheckKind | undefined;
  readonly state: JobState;
  readonly exitCode: number | undefined;
};

export type NoticeItem = { readonly is: "notice"; readonly notice: Notice };

/** The message that is being written, joined from its frames. */
export type Streaming = {
  readonly message: MessageId;
  readonly text: string;
  readonly reasoning: string;
  /** The number of the next frame. */
  readonly nextPart: number;
  readonly link: StreamLink;
};

/**
 * How the text hangs together. `joined`: every frame came. `gap`: one is missing, so the session
 * must be followed again. `rejoining`: it is followed again, and the next frame holds all.
 */
export type StreamLink = "joined" | "gap" | "rejoining";

/** A question to the user (PM-4). */
export type Asking = {
  readonly permission: PermissionId;
  readonly call: ToolCallId;
  readonly tool: string;
  /** The exact command, or the path. */
  readonly subject: CappedText;
  readonly reason: AskReason;
};

export type MessageUsage = { readonly message: MessageId; readonly usage: Usage };

/** How a turn ended. Old data may lack the receipt; then nothing is known, not nothing done. */
export type TurnEnd = {
  readonly outcome: TurnOutcome;
  readonly receipt: CompletionReceipt | undefined;
  /** Missing where nobody saw the end. */
  readonly at: UnixSeconds | undefined;
};

export const emptySession: SessionState = { session: undefined, turns: new Map() };

/** A turn of which nothing is known yet. */
export function emptyTurn(turn: TurnId): TurnState {
  return {
    turn,
    seq: 0,
    result: undefined,
    prompt: undefined,
    model: "",
    preset: undefined,
    startedAt: undefined,
    items: [],
    reads: [],
    streaming: undefined,
    asking: undefined,
    usage: [],
    end: undefined,
  };
}

/** The last event that was folded in; what comes after it is to be followed. */
export function lastSeq(state: SessionState): Seq {
  let last = 0;
  for (const turn of state.turns.values()) last = Math.max(last, turn.seq);
  return last;
}

/** The newest turn, if it has not ended. */
export function runningTurn(state: SessionState): TurnState | undefined {
  const turn = newestTurn(state);
  return turn?.end === undefined ? turn : undefined;
}

export function newestTurn(state: SessionState): TurnState | undefined {
  let newest: TurnState | undefined;
  for (const turn of state.turns.values()) {
    if (newest === undefined || turn.turn > newest.turn) newest = turn;
  }
  return newest;
}

/** Whether streamed text is missing, so that the session must be followed again (AN-4). */
export function needsFollow(state: SessionState): boolean {
  return newestTurn(state)?.streaming?.link === "gap";
}
