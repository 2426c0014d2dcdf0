// Where the focus is after what had it is gone (AX-3).

import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { ProviderTest } from "../backend/backend.ts";
import { type Recorded, replay } from "../backend/replay.ts";
import { recorded } from "../state/tests/recorded.ts";
import { listened, message, openWindow, preferences } from "./tests/openWindow.tsx";
import { asked, providers, scene, troubled } from "./tests/scenes.ts";

// The whole window in a page without layout is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const NOW = 1_700_000_000;
const SESSION = "s_0000000000000007";
const WORKSPACE = "/home/you/ledger";

const play = (recording: Recorded) => {
  const played = replay([recording]);
  return { ...played, backend: { ...played.backend, settings: async () => providers } };
};

test("AX-3: a prompt of the demo leaves the focus in the message field", async () => {
  const events = recorded("edit_and_check");
  const { backend, step } = play({ workspace: WORKSPACE, events, playedFrom: 0 });
  const prompts = ["Make it a number."];
  const startDemo = async () => ({ session: SESSION, last: 0, workspace: WORKSPACE, prompts });
  const user = openWindow({ ...backend, listSessions: async () => [], startDemo });
  const demo = await screen.findByRole("button", { name: "Try the demo" });
  demo.focus();
  await user.keyboard("{Enter}");
  const prompt = await screen.findByRole("button", { name: "Make it a number." });
  prompt.focus();
  await user.keyboard("{Enter}");
  await act(async () => {
    step(SESSION);
  });
  await waitFor(() => expect(prompt).not.toBeInTheDocument());
  expect(message()).toHaveFocus();
});

test("AX-3: a panel that is closed leaves the focus in the message field", async () => {
  const { backend } = scene("mock", NOW);
  const user = openWindow(backend, { ...preferences, inspectorOpen: true });
  const tab = await screen.findByRole("tab", { name: "Diff" });
  tab.focus();
  await user.keyboard("{Control>}{Shift>}b{/Shift}{/Control}");
  await waitFor(() => expect(tab).not.toBeInTheDocument());
  expect(message()).toHaveFocus();

  const side = screen.getByRole("navigation", { name: "Sessions" });
  within(side).getByRole("button", { name: "Open folder…" }).focus();
  await user.keyboard("{Control>}b{/Control}");
  await waitFor(() => expect(side).not.toBeInTheDocument());
  expect(message()).toHaveFocus();
});

test("AX-3: Shift+Tab leads from the message field to the question, and changes no preset", async () => {
  const { backend, step } = play({
    workspace: WORKSPACE,
    events: asked("s_4", NOW),
    playedFrom: 0,
  });
  const user = openWindow(backend);
  await screen.findByText("What should change?");
  await user.click(message());
  await user.paste("Add vitest");
  await user.keyboard("{Enter}");
  await user.paste("and then");
  await act(async () => {
    for (let done = 0; done < 1000 && step("s_4"); done += 1);
  });
  const deny = await screen.findByRole("button", { name: "Deny" });
  expect(message()).toHaveFocus();
  const preset = screen.getByRole("button", { name: "Ask before commands" });
  await user.tab({ shift: true });
  expect(deny).toHaveFocus();
  expect(preset).toHaveTextContent("Ask before commands");
});

test("AX-3: a provider that is tried keeps the focus on the button, and is tried once", async () => {
  const { backend } = scene("mock", NOW);
  let answer: (test: ProviderTest) => void = () => {};
  const told = listened({
    ...backend,
    testProvider: () =>
      new Promise<ProviderTest>((resolve) => {
        answer = resolve;
      }),
  });
  const user = openWindow(told.backend);
  await screen.findByRole("region", { name: "Results of turn 2" });
  await user.keyboard("{Control>},{/Control}");
  const button = await screen.findByRole("button", { name: "Test" });
  button.focus();
  await user.keyboard("{Enter}");
  expect(await screen.findByText("Testing…")).toBeVisible();
  expect(button).toBeEnabled();
  expect(button).toHaveAttribute("aria-disabled", "true");
  await user.keyboard("{Enter}");
  expect(told.calls.filter((it) => it.name === "testProvider")).toHaveLength(1);
  await act(async () => {
    answer({ is: "answered", durationMs: 5, model: null, models: null, hasModel: null });
  });
  expect(await screen.findByText(/It answered in/)).toBeVisible();
  expect(button).toHaveFocus();
});

test("AX-3: a key that is removed leaves the focus in the field for another one", async () => {
  const { backend } = scene("mock", NOW);
  const [first, ...rest] = providers.catalog;
  if (first === undefined) throw new Error("no provider");
  const without = { ...providers, key: null, catalog: [{ ...first, key: null }, ...rest] };
  const user = openWindow({ ...backend, deleteKey: async () => without });
  await screen.findByRole("region", { name: "Results of turn 2" });
  await user.keyboard("{Control>},{/Control}");
  const button = await screen.findByRole("button", { name: "Remove key" });
  button.focus();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(button).not.toBeInTheDocument());
  expect(screen.getByLabelText("Key")).toHaveFocus();
});

test("AX-3: a failed turn that is tried again leaves the focus in the message field", async () => {
  const events = troubled("s_2", NOW);
  const { backend, step } = play({ workspace: WORKSPACE, events, playedFrom: 1 });
  const told = listened(backend);
  const user = openWindow(told.backend);
  const again = await screen.findByRole("button", { name: "Try again" });
  again.focus();
  await user.keyboard("{Enter}");
  await act(async () => {
    for (let done = 0; done < 1000 && step("s_2"); done += 1);
  });
  await waitFor(() => expect(again).not.toBeInTheDocument());
  expect(message()).toHaveFocus();
  const sent = told.calls.filter((it) => it.name === "prompt").map((it) => it.args);
  expect(sent).toEqual([["s_2", "Port the CSV importer"]]);
});
