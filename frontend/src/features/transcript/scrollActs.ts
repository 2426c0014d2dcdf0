// What a person does to a scroller. Where the view happens to be is no act of theirs.

/** What is told of each act, before the view has moved. */
export type ScrollActs = {
  /** Upwards, however far. */
  readonly up: () => void;
  /** Downwards: by so much at least, and by so much at most. */
  readonly down: (leastPx: number, mostPx: number) => void;
  readonly toStart: () => void;
  readonly toEnd: () => void;
  /** A hand may move the view from now on: by the bar, by marking text, by a finger. */
  readonly taken: () => void;
  readonly letGo: () => void;
};

/** By what an arrow key moves a view, and by what a page key does at least. */
const LINE_PX = 40;
const PAGE_PART = 0.8;
/** What takes the space bar for itself, and what takes every key. */
const PRESSABLE = "a, button, summary, [role=button]";
const EDITABLE = "input, textarea, select, [contenteditable]";

/** Watches until what it returns is called. */
export function watchActs(scroller: HTMLElement, acts: ScrollActs): () => void {
  /** A finger moved the view, which may go on when it is lifted. */
  let isSwiped = false;
  /** The Tab key is down, and the focus goes elsewhere by it. */
  let isTabbed = false;

  const pressed = (event: KeyboardEvent) => {
    const { target } = event;
    isTabbed = event.key === "Tab" && !event.altKey;
    if (event.defaultPrevented || event.altKey || !isWithin(scroller, target)) return;
    const act = keyAct(event, target);
    if (act === undefined || isTakenOnTheWay(scroller, target, isUp(act) ? -1 : 1)) return;
    tell(act, event);
  };
  const tell = (act: KeyAct, event: KeyboardEvent) => {
    switch (act) {
      case "start":
        event.preventDefault();
        return acts.toStart();
      case "end":
        event.preventDefault();
        return acts.toEnd();
      case "up":
        return acts.up();
      case "page":
        return acts.down(scroller.clientHeight * PAGE_PART, scroller.clientHeight);
      case "line":
        return acts.down(LINE_PX, LINE_PX);
    }
  };
  const wheeled = (event: WheelEvent) => {
    const { target, deltaY, deltaMode, ctrlKey } = event;
    // With Control it zooms.
    if (ctrlKey || deltaY === 0 || !isWithin(scroller, target)) return;
    if (isTakenOnTheWay(scroller, target, deltaY)) return;
    if (deltaY < 0) return acts.up();
    const units = [1, LINE_PX, scroller.clientHeight];
    const px = deltaY * (units[deltaMode] ?? 1);
    acts.down(px, px);
  };
  const unpressed = () => {
    isTabbed = false;
  };
  // A key that goes to something above shows it.
  const focused = ({ target }: FocusEvent) => {
    if (!isTabbed || target === scroller || !isWithin(scroller, target)) return;
    const above = target.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    const end = scroller.scrollHeight - scroller.clientHeight;
    if (scroller.scrollTop + above < end) acts.up();
  };
  const held = () => {
    isSwiped = false;
    acts.taken();
  };
  const released = ({ pointerType }: PointerEvent) => {
    if (pointerType !== "touch") acts.letGo();
  };
  // Where a bar was let go, some engines tell nobody.
  const passed = ({ buttons, pointerType }: PointerEvent) => {
    if (buttons === 0 && pointerType !== "touch") acts.letGo();
  };
  const swiped = () => {
    isSwiped = true;
  };
  const lifted = ({ touches }: TouchEvent) => {
    if (touches.length === 0 && !(isSwiped && "onscrollend" in scroller)) acts.letGo();
  };
  const rested = () => {
    if (isSwiped) acts.letGo();
    isSwiped = false;
  };

  const stop = new AbortController();
  const { signal } = stop;
  const passive = { passive: true, signal };
  scroller.addEventListener("wheel", wheeled, passive);
  scroller.addEventListener("focusin", focused, { signal });
  scroller.addEventListener("pointerdown", held, passive);
  scroller.addEventListener("touchmove", swiped, passive);
  scroller.addEventListener("touchend", lifted, passive);
  scroller.addEventListener("touchcancel", lifted, passive);
  scroller.addEventListener("scrollend", rested, passive);
  // After what stands in the scroller: a key that it took for itself scrolls nothing.
  window.addEventListener("keydown", pressed, { signal });
  window.addEventListener("keyup", unpressed, passive);
  window.addEventListener("pointerup", released, passive);
  window.addEventListener("pointercancel", released, passive);
  window.addEventListener("pointermove", passed, passive);
  return () => stop.abort();
}

type KeyAct = "start" | "end" | "up" | "page" | "line";

function keyAct(event: KeyboardEvent, target: Element): KeyAct | undefined {
  const { key, shiftKey, metaKey } = event;
  if (target.closest(EDITABLE) !== null) return undefined;
  switch (key) {
    case "Home":
      return shiftKey ? undefined : "start";
    case "End":
      return shiftKey ? undefined : "end";
    case "ArrowUp":
      return metaKey ? "start" : "up";
    case "ArrowDown":
      return metaKey ? "end" : "line";
    case "PageUp":
      return "up";
    case "PageDown":
      return "page";
    case " ":
      if (target.closest(PRESSABLE) !== null) return undefined;
      return shiftKey ? "up" : "page";
    default:
      return undefined;
  }
}

function isUp(act: KeyAct): boolean {
  return act === "start" || act === "up";
}

function isWithin(scroller: HTMLElement, target: EventTarget | null): target is Element {
  return target instanceof Element && scroller.contains(target);
}

/** Whether something between the two scrolls that way itself. */
function isTakenOnTheWay(scroller: HTMLElement, target: Element, direction: number): boolean {
  for (let it: Element | null = target; it !== null && it !== scroller; it = it.parentElement) {
    const rest = direction < 0 ? it.scrollTop : it.scrollHeight - it.clientHeight - it.scrollTop;
    if (rest >= 1 && /auto|scroll/.test(getComputedStyle(it).overflowY)) return true;
  }
  return false;
}
