// The bar says that a check runs while the host says so, and no longer (CK-2).

import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { begun, capped, ended, log, started } from "../../app/tests/events.ts";
import type { EventKind } from "../../bindings.ts";
import { reduce } from "../../state/reduce.ts";
import { emptySession, newestTurn, type SessionState } from "../../state/session.ts";
import { renderIn } from "../forTests.tsx";
import { StatusBar } from "./StatusBar.tsx";

function said(...kinds: EventKind[]): string {
  const { events, add } = log("s_1", 1);
  add(0, started(0, "Run them"), ...kinds);
  const start: SessionState = { ...emptySession, session: "s_1" };
  const state = events.reduce((it, event) => reduce(it, { event }), start);
  renderIn(<StatusBar turn={newestTurn(state)}>{null}</StatusBar>);
  return screen.getByRole("contentinfo").textContent ?? "";
}

const checking: EventKind = {
  type: "tool_started",
  call: "c1",
  tool: "bash",
  title: capped("cargo test"),
  check: "test",
};

test("CK-2: a check that runs is told", () => {
  expect(said(checking)).toMatch(/^Working for .* · Checking…/);
});

test.each([
  ["a command that is no check", [begun("c1", "bash", "ls")]],
  ["a check that has ended", [checking, ended("c1", "bash", "cargo test", "ok", { exitCode: 0 })]],
])("CK-2: %s is not", (_, kinds) => {
  expect(said(...kinds)).not.toContain("Checking");
});
