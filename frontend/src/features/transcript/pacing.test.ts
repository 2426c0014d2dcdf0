// Painting while text streams keeps its distance (AN-34).

import { expect, test } from "vitest";
import { type Painter, paced, type Readable, waitMs } from "./pacing.ts";

/** A store that is set by hand. */
function box(first: number): Readable<number> & { readonly set: (next: number) => void } {
  let value = first;
  const watchers = new Set<() => void>();
  return {
    state: () => value,
    subscribe: (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    set: (next) => {
      value = next;
      for (const changed of watchers) changed();
    },
  };
}

/** A page whose time stands still until the test moves it. */
function stillPage() {
  let nowMs = 0;
  const painting: (() => void)[] = [];
  const waiting: { run: () => void; ms: number }[] = [];
  const painter: Painter = {
    nowMs: () => nowMs,
    afterPaint: (painted) => painting.push(painted),
    later: (run, ms) => waiting.push({ run, ms }),
  };
  return {
    painter,
    paint: (costMs: number) => {
      nowMs += costMs;
      painting.shift()?.();
    },
    wait: () => {
      const next = waiting.shift();
      next?.run();
      return next?.ms;
    },
  };
}

test("AN-34: the wait is twice the cost of the last paint, at least 80 ms and at most 250 ms", () => {
  expect([waitMs(10), waitMs(100), waitMs(400)]).toEqual([80, 200, 250]);
});

test("AN-34: what comes during a paint and the wait after it shows together, later", () => {
  const store = box(0);
  const { painter, paint, wait } = stillPage();
  const slow = paced(store, painter);
  const seen: number[] = [];
  slow.subscribe(() => seen.push(slow.state()));

  store.set(1);
  store.set(2);
  paint(40);
  store.set(3);
  expect(seen).toEqual([1]);

  expect(wait()).toBe(80);
  expect(seen).toEqual([1, 3]);
  paint(5);
  wait();
  expect(seen).toEqual([1, 3]);
});
