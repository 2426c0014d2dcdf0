// The arrow keys at the edges of the field: what was asked before, and back to what one wrote.

import { expect, test } from "vitest";
import { browse } from "./history.ts";

const prompts = ["first", "second\nline", "third"];
const caret = (text: string, at = text.length) => ({
  text,
  selectionStart: at,
  selectionEnd: at,
});

test("up goes back prompt by prompt, down comes back to the draft", () => {
  const one = browse("ArrowUp", caret("mine"), prompts, undefined);
  expect(one).toEqual({ browsing: { at: 2, draft: "mine" }, text: "third" });
  const two = browse("ArrowUp", caret("third"), prompts, one?.browsing);
  expect(two?.text).toBe("second\nline");
  const back = browse("ArrowDown", caret("third"), prompts, one?.browsing);
  expect(back).toEqual({ browsing: { at: 3, draft: "mine" }, text: "mine" });
});

test("inside a text of several lines the keys move the caret", () => {
  const inside = { at: 1, draft: "" };
  expect(browse("ArrowUp", caret("second\nline"), prompts, inside)).toBeUndefined();
  expect(browse("ArrowDown", caret("second\nline", 3), prompts, inside)).toBeUndefined();
  expect(browse("ArrowUp", caret("second\nline", 3), prompts, inside)?.text).toBe("first");
});

test("it ends at both ends, and a selection is left alone", () => {
  expect(browse("ArrowUp", caret(""), [], undefined)).toBeUndefined();
  expect(browse("ArrowDown", caret("x"), prompts, undefined)).toBeUndefined();
  expect(browse("ArrowUp", caret("first"), prompts, { at: 0, draft: "" })).toBeUndefined();
  const selected = { text: "abc", selectionStart: 0, selectionEnd: 3 };
  expect(browse("ArrowUp", selected, prompts, undefined)).toBeUndefined();
});
