// The transcript as rows: what stands where, with keys that stay when a row's content changes.

import type { CappedText, Preset, TurnFailure, TurnId, UnixSeconds } from "../bindings.ts";
import type {
  JobItem,
  MessageItem,
  NoticeItem,
  SessionState,
  Streaming,
  ToolItem,
  TurnState,
} from "./session.ts";

/** One row. `key` is unique in the session. */
export type Row = { readonly key: string; readonly turn: TurnId } & (
  | {
      readonly is: "prompt";
      readonly text: CappedText;
      readonly at: UnixSeconds | undefined;
      readonly preset: Preset | undefined;
    }
  | { readonly is: "message"; readonly message: MessageItem }
  /** Has the key that the committed message will have. */
  | { readonly is: "streaming"; readonly streaming: Streaming }
  | { readonly is: "tool"; readonly tool: ToolItem }
  | { readonly is: "job"; readonly job: JobItem }
  | { readonly is: "notice"; readonly notice: NoticeItem["notice"] }
  | { readonly is: "failure"; readonly failure: TurnFailure }
  /** The turn was stopped before its end. */
  | { readonly is: "stopped" }
  /** The place of the card; `state/turnResult.ts` says what it holds. */
  | { readonly is: "result" }
);

/** The turns in order; the one that runs stands apart, because it is not windowed (AN-33). */
export type TranscriptView = {
  readonly past: readonly TurnState[];
  readonly active: TurnState | undefined;
};

export function transcriptView(state: SessionState): TranscriptView {
  const turns = [...state.turns.values()].sort((a, b) => a.turn - b.turn);
  const last = turns.at(-1);
  if (last === undefined || last.end !== undefined) return { past: turns, active: undefined };
  return { past: turns.slice(0, -1), active: last };
}

const rowsOf = new WeakMap<TurnState, readonly Row[]>();

/** Returns the rows of a turn: for the same turn the same rows. */
export function turnRows(turn: TurnState): readonly Row[] {
  const known = rowsOf.get(turn);
  if (known !== undefined) return known;
  const rows = layOut(turn);
  rowsOf.set(turn, rows);
  return rows;
}

function layOut(turn: TurnState): Row[] {
  const rows: Row[] = [];
  const id = turn.turn;
  if (turn.prompt !== undefined) {
    const { prompt: text, startedAt: at, preset } = turn;
    rows.push({ is: "prompt", key: `${id}/prompt`, turn: id, text, at, preset });
  }
  for (const [index, item] of turn.items.entries()) {
    switch (item.is) {
      case "message":
        if (item.text.text === "" && item.reasoning === undefined) break;
        rows.push({ is: "message", key: `${id}/m/${item.message}`, turn: id, message: item });
        break;
      case "tool":
        rows.push({ is: "tool", key: `${id}/t/${item.call}`, turn: id, tool: item });
        break;
      case "job":
        rows.push({ is: "job", key: `${id}/j/${item.job}`, turn: id, job: item });
        break;
      case "notice":
        rows.push({ is: "notice", key: `${id}/n/${index}`, turn: id, notice: item.notice });
        break;
    }
  }
  if (turn.streaming !== undefined) {
    const { streaming } = turn;
    rows.push({ is: "streaming", key: `${id}/m/${streaming.message}`, turn: id, streaming });
  }
  return rows.concat(endRows(turn));
}

function endRows({ turn, end, items }: TurnState): Row[] {
  if (end === undefined) return [];
  const result: Row = { is: "result", key: `${turn}/result`, turn };
  switch (end.outcome.is) {
    case "completed":
    case "unknown":
    case "incomplete_read":
      return [result];
    case "interrupted":
      // The notice says already how the turn ended.
      if (items.some((it) => it.is === "notice" && it.notice === "turn_recovered")) return [result];
      return [{ is: "stopped", key: `${turn}/stopped`, turn }, result];
    case "failed":
      return [
        { is: "failure", key: `${turn}/failure`, turn, failure: end.outcome.failure },
        result,
      ];
  }
}
