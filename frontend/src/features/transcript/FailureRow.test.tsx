// A failed turn is told in the reader's language; of the provider there is what it said, as it said it.

import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { TurnFailure } from "../../bindings.ts";
import { renderIn } from "../forTests.tsx";
import { FailureRow } from "./FailureRow.tsx";

const failure: TurnFailure = {
  code: "rate_limited",
  message: "Wait 7 seconds and try again, the provider limits how much may be asked: slow down",
  detail: "slow down",
  action: "wait_and_retry",
  retryAfterMs: 7000,
};

const shown = (it: TurnFailure) => {
  renderIn(<FailureRow failure={it} onAction={() => {}} />, "zh");
  return screen.getByRole("region").textContent ?? "";
};

test("LC-2: the sentence of the host is said in the reader's language, the provider's words stay", () => {
  expect(shown(failure).match(/[A-Za-z]+/g)).toEqual(["slow", "down"]);
});

test("LC-2: where the provider said nothing, nothing foreign is shown", () => {
  const { detail: _, ...bare } = failure;
  expect(shown(bare)).not.toMatch(/[A-Za-z]/);
});
