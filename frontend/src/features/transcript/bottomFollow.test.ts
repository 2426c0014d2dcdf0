// The end is followed only by who is there (UI-30).

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followBottom } from "./bottomFollow.ts";

/** Told by the page when something changes its size; here by the test. */
let resized = () => {};

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
afterEach(() => vi.unstubAllGlobals());

/** A scroller of 100 px over content that grows. */
function scroller(heightPx: number) {
  const element = document.createElement("div");
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
  return {
    element,
    top: () => top,
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
    scroll: (px: number) => {
      element.scrollTop = top + px;
      element.dispatchEvent(new Event("scroll"));
    },
  };
}

test("UI-30: who is at the end stays there while the text grows", () => {
  const { element, top, grow } = scroller(300);
  followBottom(element, element, () => {});
  grow(50);
  grow(50);
  expect(top()).toBe(300);
});

test("UI-30: who scrolled up is left alone, and told the way back", () => {
  const { element, top, grow, scroll } = scroller(300);
  const away: boolean[] = [];
  const follow = followBottom(element, element, (it) => away.push(it));
  scroll(-30);
  grow(50);
  grow(50);
  expect(top()).toBe(170);
  follow.stick();
  expect(top()).toBe(300);
  expect(away).toEqual([true, false]);
});

test("UI-30: a turn of the wheel counts before the page has told of it", () => {
  const { element, top, grow } = scroller(300);
  followBottom(element, element, () => {});
  element.dispatchEvent(new WheelEvent("wheel", { deltaY: -10 }));
  element.scrollTop = 190;
  grow(50);
  expect(top()).toBe(190);
});

test("UI-30: a key counts before the view has moved, and a late event of going to the end takes nothing back", () => {
  const { element, top, grow, scroll } = scroller(300);
  const away: boolean[] = [];
  followBottom(element, element, (it) => away.push(it));
  element.dispatchEvent(new KeyboardEvent("keydown", { key: "PageUp" }));
  scroll(0);
  grow(0);
  grow(50);
  expect(top()).toBe(200);
  expect(away).toEqual([true]);
  scroll(-40);
  grow(50);
  expect(top()).toBe(160);
  scroll(400);
  grow(50);
  expect(top()).toBe(350);
  expect(away).toEqual([true, false]);
});

test("UI-30: a key that goes nowhere up is no way off", () => {
  const { element, top, grow } = scroller(90);
  const away: boolean[] = [];
  followBottom(element, element, (it) => away.push(it));
  element.dispatchEvent(new KeyboardEvent("keydown", { key: "PageUp" }));
  element.dispatchEvent(new KeyboardEvent("keydown", { key: "PageDown" }));
  grow(60);
  expect(top()).toBe(50);
  expect(away).toEqual([]);
});

test("UI-30: a view that is sent elsewhere is let go, though it passes the end on its way", () => {
  vi.useFakeTimers();
  const { element, top, grow, scroll } = scroller(300);
  const away: boolean[] = [];
  const follow = followBottom(element, element, (it) => away.push(it));
  follow.leave();
  // Rows on the way are measured, and what is sought is still to come.
  scroll(0);
  grow(50);
  scroll(400);
  grow(50);
  expect(top()).toBe(250);
  scroll(-200);
  vi.runAllTimers();
  grow(50);
  expect(top()).toBe(50);
  expect(away).toEqual([true]);

  // What is sought stands at the end.
  follow.leave();
  scroll(1000);
  vi.runAllTimers();
  grow(50);
  expect(top()).toBe(400);
  expect(away).toEqual([true, false]);
  vi.useRealTimers();
});

test("UI-30: a click that opens a row moves nothing, and at the end the text is followed again", () => {
  const { element, top, grow, scroll } = scroller(300);
  const follow = followBottom(element, element, () => {});
  grow(0);
  vi.stubGlobal("requestAnimationFrame", () => 0);
  follow.hold();
  grow(80);
  expect(top()).toBe(200);
  scroll(80);
  grow(20);
  expect(top()).toBe(300);
});

test("UI-30: content that is shorter for a moment and moves the view up is no way up", () => {
  const { element, top, grow, shrink } = scroller(600);
  const away: boolean[] = [];
  followBottom(element, element, (it) => away.push(it));
  grow(0);
  // Rows are put elsewhere at a height that is guessed, and are measured before anybody is told.
  shrink(300);
  grow(300);
  element.dispatchEvent(new Event("scroll"));
  grow(50);
  expect(top()).toBe(550);
  expect(away).toEqual([]);
});

test("UI-30: who drags the bar up while the text grows is left alone", () => {
  const { element, top, grow } = scroller(300);
  const away: boolean[] = [];
  followBottom(element, element, (it) => away.push(it));
  element.dispatchEvent(new Event("pointerdown"));
  element.scrollTop = 120;
  grow(50);
  expect(top()).toBe(120);
  window.dispatchEvent(new Event("pointerup"));
  grow(50);
  expect(top()).toBe(120);
  expect(away).toEqual([true]);
});

test("UI-30: a view that grows while the text does is no way up", () => {
  const { element, top, grow, growView } = scroller(300);
  const away: boolean[] = [];
  followBottom(element, element, (it) => away.push(it));
  growView(60);
  grow(50);
  expect(top()).toBe(190);
  expect(away).toEqual([]);
});

test("UI-30: content that is shorter for a moment and puts the end under a view that goes up brings nobody back", () => {
  const { element, top, grow, scroll, shrink } = scroller(2000);
  const away: boolean[] = [];
  followBottom(element, element, (it) => away.push(it));
  element.dispatchEvent(new KeyboardEvent("keydown", { key: "Home" }));
  scroll(-100);
  shrink(200);
  grow(0);
  scroll(0);
  grow(200);
  scroll(-1500);
  expect(top()).toBe(200);
  expect(away).toEqual([true]);
});
