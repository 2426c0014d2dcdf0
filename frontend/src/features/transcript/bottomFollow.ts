// Keeps a scroller at its end while its content grows, for as long as the user wants it (UI-30).
// What they want is told by what they do, and never by where the view is: content that is measured
// anew moves the view too, and puts the end under it for a moment.

import { watchActs } from "./scrollActs.ts";

/** As near to the end as counts as being there: a fraction of a pixel is lost to zooming. */
const NEAR_PX = 4;

export type BottomFollow = {
  /** Goes to the end and stays there. */
  readonly stick: () => void;
  /** To be called before a click that makes the content grow: the place stays as it is. */
  readonly hold: () => void;
  /** To be called before the view is sent elsewhere. */
  readonly leave: () => void;
  /** To be called when the user has sent it somewhere: that may be the end. */
  readonly arrived: () => void;
  /** Nothing is watched any longer. */
  readonly stop: () => void;
};

/** `onAway` is told when there is an end to go to that is not followed, and when that is over. */
export function followBottom(
  scroller: HTMLElement,
  content: HTMLElement,
  onAway: (away: boolean) => void,
): BottomFollow {
  let follows = true;
  let wasAway = false;
  /** The view is in the user's hand: it alone moves it. */
  let isTaken = false;
  /** A click changes the content, and the view stays where it is. */
  let isHeld = false;
  /** Where the view goes to by what was done, until it is there: turns of a wheel add up. */
  let heading: number | undefined;
  let lastTop = 0;

  const end = () => scroller.scrollHeight - scroller.clientHeight;
  const isAtEnd = () => end() - scroller.scrollTop <= NEAR_PX;
  const tell = () => {
    const away = !follows && end() > NEAR_PX;
    if (away !== wasAway) onAway(away);
    wasAway = away;
  };
  const set = (next: boolean) => {
    heading = undefined;
    if (follows === next) return;
    follows = next;
    tell();
  };
  const toEnd = () => {
    if (follows && !isTaken && !isHeld) scroller.scrollTop = scroller.scrollHeight;
  };
  const stick = () => {
    isTaken = false;
    set(true);
    toEnd();
  };
  const leave = () => set(false);
  const resized = () => {
    toEnd();
    tell();
  };
  const scrolled = () => {
    const top = scroller.scrollTop;
    if (heading !== undefined && (top < lastTop || heading <= top + 1)) heading = undefined;
    // Content that became shorter leaves the view at the end, wherever the hand is.
    if (isTaken && top < lastTop && !isAtEnd()) leave();
    if (isTaken && top > lastTop && isAtEnd()) set(true);
    lastTop = top;
  };
  const stopWatching = watchActs(scroller, {
    up: leave,
    down: (leastPx, mostPx) => {
      if (follows) return;
      const from = Math.max(scroller.scrollTop, heading ?? 0);
      if (end() - from <= mostPx + NEAR_PX) stick();
      else heading = from + leastPx;
    },
    // The browser would go there bit by bit, and stop where rows on the way are measured.
    toStart: () => {
      leave();
      scroller.scrollTop = 0;
    },
    toEnd: stick,
    taken: () => {
      isTaken = true;
      heading = undefined;
      lastTop = scroller.scrollTop;
    },
    letGo: () => {
      if (!isTaken) return;
      isTaken = false;
      // After the click, which may hold the view.
      requestAnimationFrame(toEnd);
    },
  });

  const sizes = new ResizeObserver(resized);
  sizes.observe(content);
  sizes.observe(scroller);
  scroller.addEventListener("scroll", scrolled, { passive: true });
  toEnd();
  return {
    stick,
    hold: () => {
      isHeld = true;
      requestAnimationFrame(() => {
        isHeld = false;
        if (follows && !isAtEnd()) leave();
      });
    },
    leave,
    arrived: () => {
      if (isAtEnd()) stick();
    },
    stop: () => {
      stopWatching();
      sizes.disconnect();
      scroller.removeEventListener("scroll", scrolled);
    },
  };
}
