// The turn that a search led to: gone to once it is there, unless the reader went elsewhere meanwhile.

import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { TurnId } from "../../bindings.ts";

/** A turn that was chosen among what a search found; each choice is one of its own. */
export type Sought = { readonly turn: TurnId };

/** A turn that was gone to. */
export type Found = {
  readonly turn: TurnId;
  /** Nobody has pressed anything since it was chosen. */
  readonly takesFocus: boolean;
};

/** A way to a turn. */
export type Seeking = {
  readonly sought: Sought;
  /** The turn is not among those that can be loaded. */
  readonly isLost: boolean;
  /** It is gone to, or is wanted no more. */
  readonly onEnd: () => void;
};

/** Returns what was found, until `leave` is called or something else is. */
export function useSought(
  seeking: Seeking | undefined,
  turns: ReadonlyMap<TurnId, unknown>,
  scroller: RefObject<HTMLElement | null>,
): { found: Found | undefined; leave: () => void } {
  const [found, setFound] = useState<Found>();
  const isBusy = useRef(false);
  const latest = useRef(seeking);
  latest.current = seeking;
  const sought = seeking?.sought;
  const isHere = sought !== undefined && turns.has(sought.turn);

  useEffect(() => {
    if (sought === undefined) return;
    isBusy.current = false;
    const acted = ({ target, type }: Event) => {
      isBusy.current ||= type !== "wheel";
      // Who moves the view, or looks at something in it, is not to be taken away from there.
      if (target instanceof Node && scroller.current?.contains(target)) latest.current?.onEnd();
    };
    // Before the page's own: what made the choice has passed here already.
    const options = { capture: true, passive: true };
    for (const type of ACTS) window.addEventListener(type, acted, options);
    return () => {
      for (const type of ACTS) window.removeEventListener(type, acted, options);
    };
  }, [sought, scroller]);

  useEffect(() => {
    if (sought === undefined || !isHere) return;
    setFound({ turn: sought.turn, takesFocus: !isBusy.current });
    latest.current?.onEnd();
  }, [sought, isHere]);

  return { found, leave: useCallback(() => setFound(undefined), []) };
}

const ACTS = ["keydown", "pointerdown", "wheel"] as const;
