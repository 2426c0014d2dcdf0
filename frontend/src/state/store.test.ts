// Watchers are told of changes, and only of changes.

import { expect, test } from "vitest";
import { createStore } from "./store.ts";

test("watchers are told of each new state until they leave", () => {
  const store = createStore(0);
  const seen: number[] = [];
  const leave = store.subscribe(() => seen.push(store.state()));
  store.update((it) => it + 1);
  store.update((it) => it);
  store.update((it) => it + 1);
  leave();
  store.update((it) => it + 1);
  expect(seen).toEqual([1, 2]);
  expect(store.state()).toBe(3);
});
