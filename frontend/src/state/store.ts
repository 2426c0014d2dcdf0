// Holds one state and tells who watches it; made for React's `useSyncExternalStore`.

/** The one place where a state is replaced. */
export type Store<State> = {
  readonly state: () => State;
  /** Nobody is told if the same state comes back. */
  readonly update: (change: (state: State) => State) => void;
  /** The answer ends it. */
  readonly subscribe: (changed: () => void) => () => void;
};

export function createStore<State>(initial: State): Store<State> {
  let state = initial;
  const watchers = new Set<() => void>();
  return {
    state: () => state,
    update: (change) => {
      const next = change(state);
      if (next === state) return;
      state = next;
      for (const changed of watchers) changed();
    },
    subscribe: (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
  };
}
