// The sessions that the window has open. Each is followed on, whether it is on the screen or not.

import type { Backend } from "../../backend/backend.ts";
import type { SessionId, TurnId } from "../../bindings.ts";
import { newestTurn } from "../../state/session.ts";
import { createStore, type Store } from "../../state/store.ts";
import { goLive, type LiveSession } from "./liveSession.ts";

export type OpenSessions = {
  readonly live: Store<ReadonlyMap<SessionId, LiveSession>>;
  /** The last turn of each session that had ended when it was on the screen. */
  readonly seen: Store<ReadonlyMap<SessionId, TurnId>>;
  /** Opens a session, or returns it if it is open. */
  readonly open: (session: SessionId) => LiveSession;
  /** Opens a session anew, after it could not be opened. */
  readonly reopen: (session: SessionId) => LiveSession;
  readonly markSeen: (session: SessionId) => void;
  /** Lets go of a session that is gone. */
  readonly close: (session: SessionId) => void;
  readonly closeAll: () => void;
};

/** `onTurn` is told when a turn of any of them begins or ends. */
export function openSessions(backend: Backend, onTurn: () => void): OpenSessions {
  const live = createStore<ReadonlyMap<SessionId, LiveSession>>(new Map());
  const seen = createStore<ReadonlyMap<SessionId, TurnId>>(new Map());
  const begin = (session: SessionId) => {
    const opened = goLive(backend, session);
    watchTurns(opened, onTurn);
    live.update((it) => new Map(it).set(session, opened));
    return opened;
  };
  return {
    live,
    seen,
    open: (session) => live.state().get(session) ?? begin(session),
    reopen: (session) => {
      live.state().get(session)?.close();
      return begin(session);
    },
    markSeen: (session) => {
      const opened = live.state().get(session);
      const newest = opened && newestTurn(opened.state.state());
      if (newest === undefined) return;
      const ended = newest.end === undefined ? newest.turn - 1 : newest.turn;
      seen.update((it) => (it.get(session) === ended ? it : new Map(it).set(session, ended)));
    },
    close: (session) => {
      live.state().get(session)?.close();
      live.update((it) => new Map([...it].filter(([id]) => id !== session)));
    },
    closeAll: () => {
      for (const opened of live.state().values()) opened.close();
      live.update(() => new Map());
    },
  };
}

/** What was loaded before the session could be followed is no news. */
function watchTurns({ state, load }: LiveSession, onTurn: () => void): void {
  let last: string | undefined;
  state.subscribe(() => {
    const newest = newestTurn(state.state());
    const now = newest && `${newest.turn} ${newest.end === undefined}`;
    if (now === last) return;
    last = now;
    if (load.state().is === "loaded") onTurn();
  });
}
