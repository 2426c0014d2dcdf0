// Keeps a scroller at its end while its content grows, as long as the user is there (UI-30).

/** As near to the end as counts as being there: a fraction of a pixel is lost to zooming. */
const NEAR_PX = 4;

export type BottomFollow = {
  /** Goes to the end and stays there. */
  readonly stick: () => void;
  /** To be called before a click that makes the content grow: the place stays as it is. */
  readonly hold: () => void;
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
  let lastTop = 0;
  let lastHeight = scroller.clientHeight;

  const set = (next: boolean) => {
    if (sticks !== next) onAway(!next);
    sticks = next;
  };
  const isAtEnd = () =>
    scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= NEAR_PX;
  const toEnd = () => {
    scroller.scrollTop = scroller.scrollHeight;
    remember();
  };
  const remember = () => {
    lastTop = scroller.scrollTop;
    lastHeight = scroller.clientHeight;
  };
  /** A view that grew is moved up by the browser, as far as it grew; that is not the user. */
  const isMovedUp = () =>
    lastTop - scroller.scrollTop > Math.max(0, scroller.clientHeight - lastHeight);
  const resized = () => {
    if (sticks && isMovedUp() && !isAtEnd()) set(false);
    if (sticks) toEnd();
    else if (isAtEnd()) set(true);
  };
  const scrolled = () => {
    if (isAtEnd()) set(true);
    else if (isMovedUp()) set(false);
    remember();
  };
  const wheeled = (event: WheelEvent) => {
    if (event.deltaY < 0 && scroller.scrollHeight > scroller.clientHeight) set(false);
  };

  const sizes = new ResizeObserver(resized);
  sizes.observe(content);
  sizes.observe(scroller);
  scroller.addEventListener("scroll", scrolled, { passive: true });
  scroller.addEventListener("wheel", wheeled, { passive: true });
  toEnd();
  return {
    stick: () => {
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
    stop: () => {
      sizes.disconnect();
      scroller.removeEventListener("scroll", scrolled);
      scroller.removeEventListener("wheel", wheeled);
    },
  };
}
