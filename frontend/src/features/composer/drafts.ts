// What is being written, session by session: a draft stays with its session (and only in memory).

import type { SessionId } from "../../bindings.ts";
import { createStore, type Store } from "../../state/store.ts";

export type Drafts = {
  readonly store: Store<ReadonlyMap<SessionId, string>>;
  readonly get: (session: SessionId) => string;
  readonly set: (session: SessionId, draft: string) => void;
  /** Writes below what is being written. */
  readonly add: (session: SessionId, text: string) => void;
  /** Takes the draft to be sent; it can be put back. */
  readonly take: (session: SessionId) => string;
  /** Puts back what was last taken, unless something else is being written. */
  readonly putBack: (session: SessionId) => void;
};

export function createDrafts(): Drafts {
  const store = createStore<ReadonlyMap<SessionId, string>>(new Map());
  const taken = new Map<SessionId, string>();
  const get = (session: SessionId) => store.state().get(session) ?? "";
  const set = (session: SessionId, draft: string) =>
    store.update((it) => new Map(it).set(session, draft));
  return {
    store,
    get,
    set,
    add: (session, text) => {
      const draft = get(session).trimEnd();
      // Who presses twice means it once.
      if (!draft.endsWith(text)) set(session, draft === "" ? text : `${draft}\n${text}`);
    },
    take: (session) => {
      const draft = get(session);
      taken.set(session, draft);
      set(session, "");
      return draft;
    },
    putBack: (session) => {
      const draft = taken.get(session);
      if (draft !== undefined && get(session) === "") set(session, draft);
    },
  };
}
