// The keys of conventions.md, on each kind of system.

import { expect, test } from "vitest";
import { type Key, keysOf, shortcutOf } from "./shortcuts.ts";

const key = (name: string, held: Partial<Key> = {}): Key => ({
  key: name,
  code: /^\d$/.test(name) ? `Digit${name}` : "",
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

test("Ctrl and a letter does what the sheet says, and on a Mac Cmd does", () => {
  for (const [letter, does] of [
    ["k", "commands"],
    [",", "settings"],
    ["o", "openFolder"],
    ["n", "newSession"],
    ["b", "sidebar"],
  ] as const) {
    expect(shortcutOf(key(letter, { ctrlKey: true }), true, false)).toEqual({ does });
    expect(shortcutOf(key(letter, { metaKey: true }), true, true)).toEqual({ does });
    expect(shortcutOf(key(letter, { ctrlKey: true }), true, true)).toBeUndefined();
  }
});

test("Ctrl and a digit goes to a session, whatever the layout prints there", () => {
  const held = key("&", { ctrlKey: true, code: "Digit1" });
  expect(shortcutOf(held, false, false)).toEqual({ does: "session", number: 1 });
});

test("Ctrl+Tab goes to a recent session, on each system", () => {
  for (const mac of [true, false]) {
    expect(shortcutOf(key("Tab", { ctrlKey: true }), true, mac)).toEqual({ does: "recent" });
  }
  expect(shortcutOf(key("Tab"), true, false)).toBeUndefined();
});

test("Ctrl with plus, minus and 0 changes the size, with or without Shift for the plus", () => {
  const held = { ctrlKey: true };
  for (const it of [key("+", { ...held, shiftKey: true }), key("="), key("+")]) {
    expect(shortcutOf({ ...it, ctrlKey: true }, true, false)).toEqual({ does: "zoom", by: 1 });
  }
  expect(shortcutOf(key("-", held), true, false)).toEqual({ does: "zoom", by: -1 });
  expect(shortcutOf(key("0", held), true, false)).toEqual({ does: "zoom", by: 0 });
});

test("a question mark is a letter where text is typed", () => {
  expect(shortcutOf(key("?", { shiftKey: true }), true, false)).toBeUndefined();
  expect(shortcutOf(key("?", { shiftKey: true }), false, false)).toEqual({ does: "sheet" });
});

test("AltGr types letters, so it is no shortcut", () => {
  expect(shortcutOf(key("n", { ctrlKey: true, altKey: true }), true, false)).toBeUndefined();
});

test("the keys are written as the system writes them", () => {
  expect([keysOf("commands", false), keysOf("commands", true)]).toEqual(["Ctrl K", "⌘K"]);
});
