// Folds one event into its turn. Each event says what is now, so folding it twice is harmless.

import type { Decision, EventKind, SessionEvent, ToolCallStatus } from "../bindings.ts";
import { unlessSeen } from "./capped.ts";
import { atTurnEnd, foldRead } from "./readStatus.ts";
import type { Item, JobItem, MessageItem, ToolItem, TurnEnd, TurnState } from "./session.ts";

/** There is no `default`: a new kind of event does not compile until it has a case. */
export function foldEvent(turn: TurnState, event: SessionEvent): TurnState {
  const next = { ...turn, seq: event.seq };
  const { kind, at } = event;
  switch (kind.type) {
    case "turn_started": {
      const { result, prompt, model, preset } = kind;
      return { ...next, result, prompt, model, preset, startedAt: at };
    }
    case "message_committed":
      return commitMessage(next, kind);
    case "tool_started":
      return withTool(next, {
        ...toolOf(next, kind.call, kind.tool, kind.title),
        title: kind.title,
        check: kind.check ?? undefined,
        status: "running",
        startedAt: at,
      });
    case "permission_asked": {
      const { permission, call, tool, subject, reason } = kind;
      return {
        ...withTool(next, { ...toolOf(next, call, tool, subject), status: "awaiting_permission" }),
        asking: { permission, call, tool, subject, reason },
      };
    }
    case "permission_answered":
      return answer(next, kind);
    case "tool_finished":
      return finishTool(next, kind);
    case "job_changed":
      return changeJob(next, kind);
    case "read_status_changed":
      // What comes after the end is of a read that the end has ended (RS-3).
      return next.end === undefined ? { ...next, reads: foldRead(next.reads, kind.status) } : next;
    case "usage_reported": {
      const { message, usage } = kind;
      const others = next.usage.filter((it) => it.message !== message);
      return { ...next, usage: [...others, { message, usage }] };
    }
    case "notice":
      return { ...next, items: [...next.items, { is: "notice", notice: kind.notice }] };
    case "turn_done": {
      const { outcome, receipt } = kind;
      return ended(next, { outcome, receipt: receipt ?? undefined, at });
    }
  }
}

/** Ends a turn of whose record a part is missing: what it did then, and how it ended, is not known. */
export function endUnseen(turn: TurnState): TurnState {
  const notice: Item = { is: "notice", notice: "record_incomplete" };
  const end: TurnEnd = { outcome: { is: "unknown" }, receipt: undefined, at: undefined };
  return ended({ ...turn, items: [...turn.items, notice] }, end);
}

function ended(turn: TurnState, end: TurnEnd): TurnState {
  const items = turn.items.map(atEnd);
  const reads = atTurnEnd(turn.reads);
  return { ...turn, items, reads, streaming: undefined, asking: undefined, end };
}

type Kind<Type extends EventKind["type"]> = Extract<EventKind, { type: Type }>;

/** The committed message takes the place of what was streamed, and keeps what was seen of it. */
function commitMessage(turn: TurnState, kind: Kind<"message_committed">): TurnState {
  const { message, text, interrupted } = kind;
  const isSeen = turn.streaming?.message === message;
  const seen = isSeen ? turn.streaming : undefined;
  const reasoning = kind.reasoning ?? undefined;
  const item: MessageItem = {
    is: "message",
    message,
    text: seen === undefined ? text : unlessSeen(text, seen.text),
    reasoning: seen && reasoning ? unlessSeen(reasoning, seen.reasoning) : reasoning,
    interrupted,
  };
  const streaming = isSeen ? undefined : turn.streaming;
  const items = upsert(turn.items, item, (it) => it.is === "message" && it.message === message);
  return { ...turn, streaming, items };
}

function finishTool(turn: TurnState, kind: Kind<"tool_finished">): TurnState {
  const { call, tool, title, status, output } = kind;
  const finished = withTool(turn, {
    ...toolOf(turn, call, tool, title),
    title,
    status,
    output,
    exitCode: kind.exitCode ?? undefined,
    durationMs: kind.durationMs ?? undefined,
    failure: kind.failure ?? undefined,
    refusal: kind.refusal ?? undefined,
  });
  return turn.asking?.call === call ? { ...finished, asking: undefined } : finished;
}

/** One row per job; the last that is said of it holds. */
function changeJob(turn: TurnState, kind: Kind<"job_changed">): TurnState {
  const { job, title, state } = kind;
  const check = kind.check ?? undefined;
  const exitCode = kind.exitCode ?? undefined;
  const item: JobItem = { is: "job", job, title, check, state, exitCode };
  return { ...turn, items: upsert(turn.items, item, (it) => it.is === "job" && it.job === job) };
}

function answer(turn: TurnState, kind: Kind<"permission_answered">): TurnState {
  const asking = turn.asking?.permission === kind.permission ? undefined : turn.asking;
  const asked = turn.items.find((it) => it.is === "tool" && it.call === kind.call);
  if (asked?.is !== "tool") return { ...turn, asking };
  return { ...withTool(turn, { ...asked, status: answered(kind.decision) }), asking };
}

function answered(decision: Decision): ToolCallStatus {
  switch (decision) {
    case "allow_once":
    case "allow_session":
      return "pending";
    case "deny":
      return "rejected";
  }
}

function toolOf(
  turn: TurnState,
  call: ToolItem["call"],
  tool: string,
  title: ToolItem["title"],
): ToolItem {
  for (const it of turn.items) if (it.is === "tool" && it.call === call) return it;
  return {
    is: "tool",
    call,
    tool,
    title,
    status: "pending",
    output: undefined,
    exitCode: undefined,
    durationMs: undefined,
    failure: undefined,
    refusal: undefined,
    startedAt: undefined,
  };
}

function withTool(turn: TurnState, tool: ToolItem): TurnState {
  const items = upsert(turn.items, tool, (it) => it.is === "tool" && it.call === tool.call);
  return { ...turn, items };
}

function upsert(items: readonly Item[], item: Item, isSame: (it: Item) => boolean): Item[] {
  const at = items.findIndex(isSame);
  return at < 0 ? [...items, item] : items.with(at, item);
}

/** A call whose end was never seen is not running any more when its turn has ended. */
function atEnd(item: Item): Item {
  if (item.is !== "tool") return item;
  switch (item.status) {
    case "running":
      return { ...item, status: "unknown" };
    case "pending":
    case "awaiting_permission":
      return { ...item, status: "cancelled" };
    case "completed":
    case "failed":
    case "rejected":
    case "cancelled":
    case "interrupted":
    case "unknown":
      return item;
  }
}
