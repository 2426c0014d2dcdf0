// Keeps a scroller at its end while its content grows, as long as the user is there (UI-30).

/** As near to the end as counts as being there: a fraction of a pixel is lost to zooming. */
const NEAR_PX = 4;
/** A view that was not moved for so long has come to where it was sent: rows on the way are measured. */
const REST_MS = 200;
/** The keys by which a scroller goes up, beside Shift and the space bar. */
const UP_KEYS = new Set(["ArrowUp", "PageUp", "Home"]);

export type BottomFollow = {
  /** Goes to the end and stays there. */
  readonly stick: () => void;
  /** To be called before a click that makes the content grow: the place stays as it is. */
  readonly hold: () => void;
  /** To be called before the view is sent elsewhere: on its way it may pass the end. */
  readonly leave: () => void;
  /** Nothing is watched any longer. */
  readonly stop: () => void;
};

/** `onAway` is told when the user leaves the end, and when they are back. */
export function followBottom(
  scroller: HTMLElement,
  content: HTMLElement,
  onAway: (away: boolean) => void,
): BottomFollow {
  let sticks = true;
  /** Where the view was when the user began to go up, until it has moved. */
  let leaves: number | undefined;
  /** A pointer is down on the scroller: it may hold the bar at its side. */
  let isHeld = false;
  /** The view is on its way to a place; runs out when it rests there. */
  let onTheWay: ReturnType<typeof setTimeout> | undefined;
  let lastTop = 0;
  let lastHeight = scroller.clientHeight;
  let lastContent = scroller.scrollHeight;

  const set = (next: boolean) => {
    if (sticks !== next) onAway(!next);
    sticks = next;
    leaves = undefined;
  };
  const isAtEnd = () =>
    leaves === undefined &&
    scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= NEAR_PX;
  const toEnd = () => {
    scroller.scrollTop = scroller.scrollHeight;
    remember();
  };
  const remember = () => {
    lastTop = scroller.scrollTop;
    lastHeight = scroller.clientHeight;
    lastContent = scroller.scrollHeight;
  };
  /**
   * The browser moves the view up too: when the view grows, and when the content is shorter for a
   * moment, as it is when rows are put elsewhere. Only over content that stayed what it was, or
   * under a pointer, is it the user.
   */
  const isMovedUp = () =>
    (isHeld || scroller.scrollHeight === lastContent) &&
    lastTop - scroller.scrollTop > Math.max(0, scroller.clientHeight - lastHeight);
  const arrived = () => {
    onTheWay = undefined;
    leaves = undefined;
    set(isAtEnd());
    remember();
  };
  const goOn = () => {
    clearTimeout(onTheWay);
    onTheWay = setTimeout(arrived, REST_MS);
  };
  const cancel = () => {
    clearTimeout(onTheWay);
    onTheWay = undefined;
  };
  const resized = () => {
    if (onTheWay !== undefined) return;
    if (sticks && isHeld && isMovedUp() && !isAtEnd()) set(false);
    if (sticks) toEnd();
    else if (scroller.scrollHeight <= scroller.clientHeight) set(true);
  };
  const scrolled = () => {
    if (onTheWay !== undefined) return goOn();
    // The event of an earlier way to the end may come only now.
    if (scroller.scrollTop !== leaves) leaves = undefined;
    // Content that is shorter for a moment puts the end under a view that did not go there.
    if (isAtEnd() && lastTop < scroller.scrollTop) set(true);
    else if (isMovedUp()) set(false);
    remember();
  };
  const held = () => {
    isHeld = true;
  };
  const released = () => {
    isHeld = false;
  };
  /** The browser moves the view a few frames later; going to the end meanwhile would stop it. */
  const goesUp = () => {
    cancel();
    if (scroller.scrollTop <= 0) return;
    set(false);
    leaves = scroller.scrollTop;
  };
  const wheeled = (event: WheelEvent) => {
    if (event.deltaY < 0) goesUp();
  };
  const pressed = (event: KeyboardEvent) => {
    const isSpace = event.key === " " && event.shiftKey;
    if (event.target === scroller && (isSpace || UP_KEYS.has(event.key))) goesUp();
  };

  const sizes = new ResizeObserver(resized);
  sizes.observe(content);
  sizes.observe(scroller);
  scroller.addEventListener("scroll", scrolled, { passive: true });
  scroller.addEventListener("wheel", wheeled, { passive: true });
  scroller.addEventListener("keydown", pressed);
  scroller.addEventListener("pointerdown", held);
  window.addEventListener("pointerup", released);
  window.addEventListener("pointercancel", released);
  toEnd();
  return {
    stick: () => {
      cancel();
      set(true);
      toEnd();
    },
    hold: () => {
      sticks = false;
      requestAnimationFrame(() => {
        sticks = isAtEnd();
        onAway(!sticks);
      });
    },
    leave: () => {
      set(false);
      goOn();
    },
    stop: () => {
      cancel();
      sizes.disconnect();
      scroller.removeEventListener("scroll", scrolled);
      scroller.removeEventListener("wheel", wheeled);
      scroller.removeEventListener("keydown", pressed);
      scroller.removeEventListener("pointerdown", held);
      window.removeEventListener("pointerup", released);
      window.removeEventListener("pointercancel", released);
    },
  };
}
