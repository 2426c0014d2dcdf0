// One session of the window: its last turns are loaded, then it is followed until it is closed.

import { type Backend, BackendError } from "../../backend/backend.ts";
import type { Feed, Preset, Seq, SessionId, TurnId } from "../../bindings.ts";
import { foldPage, followAgain, reduce, withoutEnd } from "../../state/reduce.ts";
import {
  emptySession,
  lastSeq,
  needsFollow,
  newestTurn,
  type SessionState,
} from "../../state/session.ts";
import { createStore, type Store } from "../../state/store.ts";

/** Turns of one page of history. */
const PAGE_TURNS = 20;
/** And of one on the way to a turn that is sought: as many as the host gives. */
const WAY_TURNS = 100;

/** How far the session is. */
export type Load =
  | { readonly is: "loading" }
  | { readonly is: "failed"; readonly error: unknown }
  | {
      readonly is: "loaded";
      /** Why it can only be read; missing where it can be written. */
      readonly readOnly: unknown;
      /** There are older turns than those that were loaded. */
      readonly more: boolean;
      readonly older: "idle" | "loading" | "failed";
    };

export type LiveSession = {
  readonly session: SessionId;
  readonly state: Store<SessionState>;
  readonly load: Store<Load>;
  /** Loads the page before the oldest turn; does nothing where there is none. */
  readonly loadOlder: () => void;
  /** Loads pages until that turn is there, or there are no older ones. */
  readonly loadBackTo: (turn: TurnId) => void;
  /** Frames and pages that arrive later are dropped. */
  readonly close: () => void;
};

/** Opens a session for writing with the permissions of its last turn, and follows it. */
export function goLive(backend: Backend, session: SessionId): LiveSession {
  const state = createStore<SessionState>({ ...emptySession, session });
  const load = createStore<Load>({ is: "loading" });
  let closed = false;
  let unfollow = () => {};

  const follow = async (after: Seq) => {
    unfollow();
    unfollow = () => {};
    const onFrame = (frame: Feed) => {
      if (closed) return;
      state.update((it) => reduce(it, frame));
      if (!needsFollow(state.state())) return;
      state.update(followAgain);
      void follow(lastSeq(state.state())).catch(becomeReadOnly);
    };
    const stop = await backend.follow(session, after, onFrame, becomeReadOnly);
    if (closed) stop();
    else unfollow = stop;
  };

  const becomeReadOnly = (error: unknown) =>
    load.update((it) => (it.is === "loaded" ? { ...it, readOnly: error } : it));

  const begin = async () => {
    const page = await backend.history(session, null, PAGE_TURNS);
    if (closed) return;
    state.update((it) => foldPage(it, page));
    const preset: Preset = newestTurn(state.state())?.preset ?? "workspace-write";
    let readOnly: unknown;
    try {
      await backend.openSession(session, { addDirs: [], preset });
      if (!closed) await follow(lastSeq(state.state()));
    } catch (error) {
      readOnly = error;
      if (!closed && isDamage(error)) state.update(withoutEnd);
    }
    load.update(() => ({ is: "loaded", readOnly, more: page.more, older: "idle" }));
  };

  /** The turn that is sought; where loading failed, the next try goes on to it. */
  let wanted: TurnId | undefined;
  const isOnTheWay = () => wanted !== undefined && wanted < oldestTurn(state.state());

  const older = async () => {
    const known = load.state();
    if (known.is !== "loaded" || !known.more || known.older === "loading") return;
    load.update(() => ({ ...known, older: "loading" }));
    try {
      let more = true;
      do {
        const oldest = oldestTurn(state.state());
        const count = isOnTheWay() ? WAY_TURNS : PAGE_TURNS;
        const page = await backend.history(session, oldest, count);
        if (closed) return;
        state.update((it) => foldPage(it, page));
        // A page that brings nothing older would be asked for without end.
        more = page.more && oldestTurn(state.state()) < oldest;
      } while (more && isOnTheWay());
      load.update((it) => (it.is === "loaded" ? { ...it, more, older: "idle" } : it));
    } catch {
      load.update((it) => (it.is === "loaded" ? { ...it, older: "failed" } : it));
    }
  };

  void begin().catch((error: unknown) => load.update(() => ({ is: "failed", error })));
  return {
    session,
    state,
    load,
    loadOlder: () => void older(),
    loadBackTo: (turn) => {
      wanted = Math.min(turn, wanted ?? turn);
      if (isOnTheWay()) void older();
    },
    close: () => {
      closed = true;
      unfollow();
    },
  };
}

/** Returns whether a turn is not among those that could be loaded, however far back. */
export function isOutOfReach({ state, load }: LiveSession, turn: TurnId): boolean {
  const known = load.state();
  if (known.is !== "loaded" || known.older !== "idle") return false;
  if (state.state().turns.has(turn)) return false;
  return !known.more || oldestTurn(state.state()) < turn;
}

function isDamage(error: unknown): boolean {
  return error instanceof BackendError && error.kind === "session_damaged";
}

function oldestTurn({ turns }: SessionState): TurnId {
  return Math.min(...turns.keys());
}
