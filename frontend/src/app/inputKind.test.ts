// Which of the two was used last stands on the page, for its style sheet.

import { expect, test } from "vitest";
import { watchInput } from "./inputKind.ts";

test("AX-3: what was used last is known, until nobody asks any more", () => {
  const stop = watchInput(document);
  document.body.dispatchEvent(new Event("keydown", { bubbles: true }));
  expect(document.documentElement.dataset.input).toBe("keys");
  document.body.dispatchEvent(new Event("pointerdown", { bubbles: true }));
  expect(document.documentElement.dataset.input).toBe("pointer");
  stop();
  document.body.dispatchEvent(new Event("keydown", { bubbles: true }));
  expect(document.documentElement.dataset.input).toBe("pointer");
});
