// Shows a store's state no faster than it can be painted (AN-34).

/** A state that can be read and watched. */
export type Readable<S> = {
  readonly state: () => S;
  readonly subscribe: (changed: () => void) => () => void;
};

/** What pacing needs of the page. */
export type Painter = {
  /** Milliseconds, from any start. */
  readonly nowMs: () => number;
  /** Calls once what was just changed is on the screen. */
  readonly afterPaint: (painted: () => void) => void;
  readonly later: (run: () => void, ms: number) => void;
};

/** Twelve times a second reads as flowing, and costs a third of every frame. */
const SHORTEST_WAIT_MS = 80;
const LONGEST_WAIT_MS = 250;

/** How long to wait after a paint of that cost: what other threads do of it is not in it. */
export function waitMs(costMs: number): number {
  return Math.max(SHORTEST_WAIT_MS, Math.min(2 * costMs, LONGEST_WAIT_MS));
}

/**
 * The first change shows at once; what comes while it is painted, and while the wait after it
 * lasts, shows together.
 */
export function paced<S>(store: Readable<S>, painter: Painter): Readable<S> {
  const watchers = new Set<() => void>();
  let shown = store.state();
  let waiting = false;
  let behind = false;
  let stop = () => {};

  const show = () => {
    behind = false;
    waiting = true;
    shown = store.state();
    const startedMs = painter.nowMs();
    for (const changed of watchers) changed();
    painter.afterPaint(() => {
      painter.later(
        () => {
          waiting = false;
          if (behind) show();
        },
        waitMs(painter.nowMs() - startedMs),
      );
    });
  };
  const changed = () => {
    if (waiting) behind = true;
    else show();
  };

  return {
    state: () => {
      if (watchers.size === 0) shown = store.state();
      return shown;
    },
    subscribe: (watcher) => {
      if (watchers.size === 0) {
        shown = store.state();
        stop = store.subscribe(changed);
      }
      watchers.add(watcher);
      return () => {
        watchers.delete(watcher);
        if (watchers.size === 0) stop();
      };
    },
  };
}

/** The page itself. A hidden page paints nothing, so there the longest wait stands in. */
export const page: Painter = {
  nowMs: () => performance.now(),
  afterPaint: (painted) => {
    let done = false;
    const once = () => {
      if (!done) painted();
      done = true;
    };
    setTimeout(once, LONGEST_WAIT_MS);
    requestAnimationFrame(() => setTimeout(once, 0));
  },
  later: (run, ms) => {
    setTimeout(run, ms);
  },
};
