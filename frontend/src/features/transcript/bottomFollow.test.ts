// The end is followed for as long as the user wants it, which only what they do tells (UI-30).

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type BottomFollow, followBottom } from "./bottomFollow.ts";

/** Told by the page when something changes its size; here by the test. */
let resized = () => {};
let stopAll: (() => void)[] = [];

beforeEach(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(changed: () => void) {
        resized = changed;
      }
      observe() {}
      disconnect() {}
    },
  );
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => run());
});
afterEach(() => {
  for (const stop of stopAll) stop();
  stopAll = [];
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

/** What a person can do to a followed scroller of 100 px, and what its content can. */
function following(heightPx: number) {
  const element = document.createElement("div");
  const row = document.createElement("button");
  element.append(row);
  document.body.append(element);
  let height = heightPx;
  let view = 100;
  let top = 0;
  Object.defineProperties(element, {
    clientHeight: { get: () => view },
    scrollHeight: { get: () => height },
    scrollTop: {
      get: () => top,
      set: (to: number) => {
        top = Math.max(0, Math.min(to, height - view));
      },
    },
  });
  const told = () => element.dispatchEvent(new Event("scroll"));
  const away: boolean[] = [];
  const follow: BottomFollow = followBottom(element, element, (it) => away.push(it));
  stopAll.push(follow.stop);
  return {
    element,
    row,
    follow,
    away,
    told,
    top: () => top,
    distance: () => height - view - top,
    grow: (px: number) => {
      height += px;
      resized();
    },
    /** The browser keeps the view within the content; nobody is told. */
    shrink: (px: number) => {
      height -= px;
      element.scrollTop = top;
    },
    /** The browser keeps the end in view when the view grows. */
    growView: (px: number) => {
      view += px;
      element.scrollTop = top;
    },
    /** The view moves, whoever moved it. */
    scroll: (px: number) => {
      element.scrollTop = top + px;
      told();
    },
    key: (key: string, rest: KeyboardEventInit = {}, target: Element = element) => {
      const init = { key, bubbles: true, cancelable: true, ...rest };
      return target.dispatchEvent(new KeyboardEvent("keydown", init));
    },
    wheel: (deltaY: number, rest: WheelEventInit = {}) =>
      element.dispatchEvent(new WheelEvent("wheel", { deltaY, bubbles: true, ...rest })),
    press: () => element.dispatchEvent(new Event("pointerdown")),
    release: () => window.dispatchEvent(new Event("pointerup")),
    /** Whether more text takes the view along. */
    isFollowed: () => {
      const before = top;
      height += 50;
      resized();
      return top > before && top === height - view;
    },
  };
}

test("UI-30: who is at the end stays there while the text grows", () => {
  const it = following(300);
  it.grow(50);
  it.grow(50);
  expect(it.top()).toBe(300);
});

test("UI-30: a view that grows while the text does is no way up", () => {
  const it = following(300);
  it.growView(60);
  it.grow(50);
  expect(it.top()).toBe(190);
  expect(it.away).toEqual([]);
});

const waysUp: [string, (it: ReturnType<typeof following>) => void][] = [
  ["PageUp", (it) => it.key("PageUp")],
  ["an arrow", (it) => it.key("ArrowUp")],
  ["the space bar with Shift", (it) => it.key(" ", { shiftKey: true })],
  ["Home", (it) => it.key("Home")],
  ["a key at a row", (it) => it.key("PageUp", {}, it.row)],
  ["the wheel", (it) => it.wheel(-10)],
  [
    "a drag of the bar",
    (it) => {
      it.press();
      it.scroll(-30);
      it.release();
    },
  ],
  [
    "a finger",
    (it) => {
      it.press();
      it.scroll(-30);
      it.element.dispatchEvent(Object.assign(new Event("touchend"), { touches: [] }));
    },
  ],
  [
    "the Tab key, to what stands above",
    (it) => {
      it.key("Tab", { shiftKey: true }, document.body);
      it.row.getBoundingClientRect = () => new DOMRect(0, -150, 10, 10);
      it.row.focus();
    },
  ],
  ["a search hit", (it) => it.follow.leave()],
];

for (const [name, goUp] of waysUp) {
  test(`UI-30: who goes up by ${name} is brought back by nothing that they did not do`, () => {
    const it = following(2000);
    goUp(it);
    // The event of an earlier way to the end comes only now.
    it.told();
    it.grow(50);
    it.scroll(-100);
    const far = it.distance();
    expect(far).toBeGreaterThanOrEqual(100);
    // The list is shorter for a moment, and the browser keeps the view within it.
    it.shrink(far + 10);
    it.told();
    it.grow(far + 10);
    // Rows above are measured, and the virtualiser keeps those of the view where they are.
    it.shrink(far + 200);
    it.told();
    it.scroll(200);
    it.scroll(-60);
    it.scroll(60);
    it.grow(far + 200);
    expect(it.isFollowed()).toBe(false);
    expect(it.away).toEqual([true]);
  });
}

const waysBack: [string, (it: ReturnType<typeof following>) => void][] = [
  ["the button", (it) => it.follow.stick()],
  ["End", (it) => it.key("End")],
  ["End at a row", (it) => it.key("End", {}, it.row)],
  [
    "PageDown",
    (it) => {
      for (let left = 6; left > 0; left -= 1) it.key("PageDown");
    },
  ],
  [
    "the wheel",
    (it) => {
      // The view comes after.
      for (let left = 4; left > 0; left -= 1) it.wheel(120);
    },
  ],
  [
    "the wheel by lines",
    (it) => {
      for (let left = 4; left > 0; left -= 1) it.wheel(3, { deltaMode: 1 });
    },
  ],
  [
    "a drag of the bar",
    (it) => {
      it.press();
      it.scroll(200);
      it.scroll(1000);
      it.release();
    },
  ],
];

for (const [name, goDown] of waysBack) {
  test(`UI-30: who goes down to the end by ${name} is taken along again`, () => {
    const it = following(2000);
    it.key("PageUp");
    it.scroll(-400);
    expect(it.isFollowed()).toBe(false);
    goDown(it);
    expect(it.distance()).toBe(0);
    expect(it.isFollowed()).toBe(true);
    expect(it.away).toEqual([true, false]);
  });
}

test("UI-30: who goes down and not to the end is not taken along, though the end comes to them", () => {
  const it = following(2000);
  it.key("Home");
  it.wheel(120);
  it.scroll(120);
  it.key("PageDown");
  it.scroll(80);
  it.key("ArrowDown");
  it.scroll(40);
  it.shrink(1660);
  it.told();
  expect(it.distance()).toBe(0);
  it.grow(1660);
  expect(it.isFollowed()).toBe(false);
  // A turn of the wheel that is over does not count for the next one.
  it.scroll(1200);
  it.wheel(120);
  expect(it.isFollowed()).toBe(false);
});

test("UI-30: what was rolled before someone went up again is no way to the end", () => {
  const it = following(2000);
  it.key("PageUp");
  it.scroll(-400);
  it.wheel(300);
  it.wheel(-10);
  it.wheel(120);
  expect(it.isFollowed()).toBe(false);
});

test("UI-30: what was rolled and did not come to its end is no way to the end either", () => {
  const it = following(2000);
  it.key("PageUp");
  it.scroll(-400);
  it.wheel(300);
  // Something else moved the view meanwhile, which ends what was rolled.
  it.scroll(-10);
  it.wheel(120);
  expect(it.isFollowed()).toBe(false);
});

test("UI-30: a search hit is a way to the end where it stands there", () => {
  const it = following(2000);
  it.follow.leave();
  it.element.scrollTop = 1500;
  it.follow.arrived();
  expect(it.isFollowed()).toBe(false);
  it.follow.leave();
  it.element.scrollTop = 5000;
  it.follow.arrived();
  expect(it.isFollowed()).toBe(true);
});

test("UI-30: Home is at the start at once, and the browser goes nowhere by it", () => {
  const it = following(2000);
  expect(it.key("Home")).toBe(false);
  expect(it.top()).toBe(0);
});

test("UI-30: a key that goes up counts where the list is shorter than the view for a moment", () => {
  const it = following(2000);
  it.shrink(1950);
  it.key("PageUp");
  it.grow(1950);
  expect(it.isFollowed()).toBe(false);
});

test("UI-30: up and down again where all is in view is no way off", () => {
  const it = following(90);
  it.key("PageUp");
  it.key("PageDown");
  it.grow(60);
  expect(it.top()).toBe(50);
  expect(it.away).toEqual([]);
});

test("UI-30: a key or a wheel that something in the list takes for itself goes nowhere", () => {
  const it = following(2000);
  const block = document.createElement("pre");
  Object.defineProperties(block, { scrollHeight: { value: 900 }, clientHeight: { value: 300 } });
  block.style.overflowY = "auto";
  block.scrollTop = 200;
  it.element.append(block);
  it.key("PageUp", {}, block);
  it.key("Home", {}, block);
  block.dispatchEvent(new WheelEvent("wheel", { deltaY: -10, bubbles: true }));
  it.row.addEventListener("keydown", (event) => event.preventDefault(), { once: true });
  it.key("ArrowUp", {}, it.row);
  it.wheel(-10, { ctrlKey: true });
  expect(it.isFollowed()).toBe(true);
  // At its own start it lets them through.
  block.scrollTop = 0;
  it.key("PageUp", {}, block);
  expect(it.isFollowed()).toBe(false);
});

test("UI-30: a space bar that presses a button scrolls nothing", () => {
  const it = following(2000);
  it.key(" ", { shiftKey: true }, it.row);
  expect(it.isFollowed()).toBe(true);
});

test("UI-30: content that is shorter for a moment and moves the view up is no way up, in a hand or not", () => {
  const it = following(600);
  it.shrink(300);
  it.grow(300);
  it.told();
  it.press();
  it.shrink(300);
  it.told();
  it.release();
  it.grow(350);
  expect(it.distance()).toBe(0);
  expect(it.away).toEqual([]);
});

test("UI-30: a view in a hand stays there, and what holds it off the end is over with the hand", () => {
  const it = following(300);
  it.press();
  it.grow(50);
  expect(it.top()).toBe(200);
  // Nobody told where the bar was let go.
  const passed = Object.assign(new Event("pointermove"), { buttons: 0 });
  window.dispatchEvent(passed);
  expect(it.top()).toBe(250);
  expect(it.away).toEqual([]);
});

test("UI-30: a view that a finger set going is in its hand until it rests", () => {
  const it = following(2000);
  Object.defineProperty(it.element, "onscrollend", { value: null });
  it.key("PageUp");
  it.scroll(-600);
  it.press();
  it.element.dispatchEvent(new Event("touchmove"));
  it.scroll(100);
  // The browser takes the finger over, and tells of it no more.
  const cancelled = Object.assign(new Event("pointercancel"), { pointerType: "touch" });
  window.dispatchEvent(cancelled);
  it.element.dispatchEvent(Object.assign(new Event("touchend"), { touches: [] }));
  it.scroll(500);
  it.element.dispatchEvent(new Event("scrollend"));
  expect(it.distance()).toBe(0);
  expect(it.isFollowed()).toBe(true);
  // What moves the view after that is nobody's hand.
  it.scroll(-30);
  expect(it.isFollowed()).toBe(true);
});

test("UI-30: a click that opens a row moves nothing, and one that changes nothing ends nothing", () => {
  const it = following(300);
  it.follow.hold();
  expect(it.isFollowed()).toBe(true);
  let frame = () => {};
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => {
    frame = run;
  });
  it.follow.hold();
  it.grow(80);
  frame();
  expect(it.distance()).toBe(80);
  expect(it.isFollowed()).toBe(false);
  it.key("End");
  expect(it.isFollowed()).toBe(true);
});

test("UI-30: where all is in view there is no way to the end to offer", () => {
  const it = following(300);
  it.key("PageUp");
  it.shrink(250);
  it.grow(0);
  expect(it.away).toEqual([true, false]);
  it.grow(200);
  expect(it.away).toEqual([true, false, true]);
});
