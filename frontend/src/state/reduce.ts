// Folds the feed into a session's state. Live frames and pages of history take the same path.

import type {
  Delta,
  Feed,
  HistoryPage,
  SessionEvent,
  SessionId,
  TurnHistory,
} from "../bindings.ts";
import { endUnseen, foldEvent } from "./foldEvent.ts";
import {
  emptyTurn,
  newestTurn,
  runningTurn,
  type SessionState,
  type Streaming,
  type TurnState,
} from "./session.ts";

/** Folds one frame. The same state comes back if the frame says nothing new. */
export function reduce(state: SessionState, feed: Feed): SessionState {
  if (feed.event !== undefined) return reduceEvent(state, feed.event);
  return reduceDelta(state, feed.delta);
}

/** Folds one event into its turn; one at or below the turn's last is a repeat. */
export function reduceEvent(state: SessionState, event: SessionEvent): SessionState {
  if (isForeign(state, event.session)) return state;
  const turn = turnOf(state, event.turn);
  if (event.seq <= turn.seq) return state;
  return withTurn(state, event.session, foldEvent(turn, event));
}

/** Joins a frame of streamed text to its message (AN-4). */
export function reduceDelta(state: SessionState, delta: Delta): SessionState {
  if (isForeign(state, delta.session)) return state;
  const turn = turnOf(state, delta.turn);
  const next = joinDelta(turn, delta);
  return next === turn ? state : withTurn(state, delta.session, next);
}

/** Folds a page of history. Pages may come in any order, and again. */
export function foldPage(state: SessionState, page: HistoryPage): SessionState {
  return page.turns.reduce(foldTurn, state);
}

/**
 * Takes up that the session is followed again. Text that was streamed stays on the screen until
 * the first frame of the new feed, which holds all of it.
 */
export function followAgain(state: SessionState): SessionState {
  const turn = newestTurn(state);
  if (turn?.streaming === undefined) return state;
  const streaming: Streaming = { ...turn.streaming, link: "rejoining" };
  return { ...state, turns: new Map(state.turns).set(turn.turn, { ...turn, streaming }) };
}

/** Takes up that the session is damaged: nobody goes on with it, and a last turn without an end gets none. */
export function withoutEnd(state: SessionState): SessionState {
  const turn = runningTurn(state);
  if (turn === undefined) return state;
  return { ...state, turns: new Map(state.turns).set(turn.turn, endUnseen(turn)) };
}

/** A stored turn is whole up to its last event, so it replaces a turn whose start was missed. */
function foldTurn(state: SessionState, history: TurnHistory): SessionState {
  const last = history.events.at(-1);
  if (last === undefined || isForeign(state, last.session)) return state;
  const known = turnOf(state, history.turn);
  const isWhole = known.startedAt !== undefined;
  if (last.seq < known.seq || (last.seq === known.seq && isWhole)) return state;
  const from = isWhole ? known : { ...emptyTurn(history.turn), streaming: known.streaming };
  return withTurn(
    state,
    last.session,
    history.events.filter((event) => event.seq > from.seq).reduce(foldEvent, from),
  );
}

function joinDelta(turn: TurnState, delta: Delta): TurnState {
  if (turn.end !== undefined) return turn;
  if (turn.items.some((it) => it.is === "message" && it.message === delta.message)) return turn;
  const { message, part, text = "", reasoning = "" } = delta;
  const known = turn.streaming;
  const nextPart = part + 1;
  // The first frame of a message, or of a new follow, holds all that there is so far.
  if (known === undefined || known.message !== message || known.link === "rejoining") {
    return { ...turn, streaming: { message, text, reasoning, nextPart, link: "joined" } };
  }
  if (part < known.nextPart || known.link === "gap") return turn;
  if (part > known.nextPart) return { ...turn, streaming: { ...known, link: "gap" } };
  return {
    ...turn,
    streaming: {
      message,
      text: known.text + text,
      reasoning: known.reasoning + reasoning,
      nextPart,
      link: "joined",
    },
  };
}

function isForeign(state: SessionState, session: SessionId): boolean {
  return state.session !== undefined && state.session !== session;
}

function turnOf(state: SessionState, turn: number): TurnState {
  return state.turns.get(turn) ?? emptyTurn(turn);
}

function withTurn(state: SessionState, session: SessionId, turn: TurnState): SessionState {
  return { session, turns: new Map(state.turns).set(turn.turn, turn) };
}
