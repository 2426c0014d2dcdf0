// Sessions as a whole: found, named, put away, copied, deleted (SM-13, JR-4).

import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { BackendError } from "../backend/backend.ts";
import { listened, message, openWindow, preferences } from "./tests/openWindow.tsx";
import { scene } from "./tests/scenes.ts";

// The whole window in a page without layout is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const NOW = 1_700_000_000;
const TITLE = "Where is the token checked?";

const sidebar = () => screen.getByRole("navigation", { name: "Sessions" });
const line = (name: RegExp) => within(sidebar()).getByRole("button", { name });

async function choose(user: ReturnType<typeof openWindow>, title: string, item: string) {
  await user.click(await screen.findByRole("button", { name: `Actions for ${title}` }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
}

test("JR-4: a search shows the sessions with the place of the words, and Enter opens the first", async () => {
  const user = openWindow(scene("mock", NOW).backend);
  await screen.findByRole("region", { name: "Results of turn 2" });
  await user.keyboard("{Control>}{Shift>}f{/Shift}{/Control}");
  const field = screen.getByRole("textbox", { name: "Search sessions" });
  expect(field).toHaveFocus();
  await user.keyboard("csv PORT");
  expect(await within(sidebar()).findByText("1 session")).toBeVisible();
  const hit = line(/^Port the CSV importer/);
  expect(
    within(hit)
      .getAllByText(/^(Port|CSV)$/)
      .map((it) => it.closest("mark")?.tagName),
  ).toEqual(["MARK", "MARK"]);
  expect(hit).toHaveTextContent(/prompt/);
  await user.keyboard("{Enter}");
  expect(await screen.findByRole("heading", { name: "Port the CSV importer" })).toBeVisible();

  await user.click(field);
  await user.keyboard("{Escape}");
  expect(field).toHaveValue("");
  expect(line(/^Where is the token/)).toBeVisible();
});

test("UI-9: an answer for the letters before does not replace the one for those that stand there", async () => {
  const { backend } = scene("mock", NOW);
  const answers = new Map<string, () => void>();
  const search = (text: string) =>
    new Promise<Awaited<ReturnType<typeof backend.search>>>((resolve) => {
      answers.set(text, () => void backend.search(text).then(resolve));
    });
  const user = openWindow({ ...backend, search });
  await screen.findByRole("region", { name: "Results of turn 2" });
  await user.click(screen.getByRole("textbox", { name: "Search sessions" }));
  await user.keyboard("csv");
  await waitFor(() => expect(answers.has("csv")).toBe(true));
  await user.keyboard(" nowhere");
  await waitFor(() => expect(answers.has("csv nowhere")).toBe(true));
  answers.get("csv nowhere")?.();
  expect(await screen.findByText("No session holds all of these words.")).toBeVisible();
  answers.get("csv")?.();
  await user.keyboard("{Enter}");
  expect(screen.getByText("No session holds all of these words.")).toBeVisible();
});

test("a search that fails says so, and can be tried again", async () => {
  const { backend } = scene("mock", NOW);
  let fails = true;
  const search = async (text: string) => {
    if (fails) throw new BackendError({ kind: "internal", message: "the index is gone" });
    return backend.search(text);
  };
  const user = openWindow({ ...backend, search });
  await screen.findByRole("region", { name: "Results of turn 2" });
  await user.click(screen.getByRole("textbox", { name: "Search sessions" }));
  await user.keyboard("csv");
  expect(await screen.findByText(/the index is gone/)).toBeVisible();
  fails = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("1 session")).toBeVisible();
});

test("a session gets another title from its menu", async () => {
  const user = openWindow(scene("mock", NOW).backend);
  await choose(user, TITLE, "Rename…");
  const field = await screen.findByRole("textbox", { name: "Title" });
  await waitFor(() => expect(field).toHaveFocus());
  await user.clear(field);
  await user.keyboard("Tokens{Enter}");
  expect(await screen.findByRole("heading", { name: "Tokens" })).toBeVisible();
  expect(line(/^Tokens/)).toBeVisible();
});

test("a session that is put away is out of the list and of the keys, and comes back", async () => {
  const user = openWindow(scene("mock", NOW).backend);
  await choose(user, TITLE, "Archive");
  const archive = await screen.findByRole("button", { name: "Archived (1)" });
  expect(within(sidebar()).queryByRole("button", { name: /^Where is/ })).toBeNull();
  await user.keyboard("{Control>}[Digit1]{/Control}");
  expect(await screen.findByRole("heading", { name: "Port the CSV importer" })).toBeVisible();
  await user.click(archive);
  await choose(user, TITLE, "Take out of the archive");
  await waitFor(() => expect(archive).not.toBeInTheDocument());
  expect(line(/^Where is the token/)).toBeVisible();
});

test("a session is deleted when it was asked for twice, and the one before it is shown", async () => {
  const told = listened(scene("mock", NOW).backend);
  const user = openWindow(told.backend);
  await user.click(await screen.findByRole("button", { name: /^Port the CSV importer/ }));
  await choose(user, "Port the CSV importer", "Delete…");
  expect(await screen.findByRole("button", { name: "Cancel" })).toHaveFocus();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const deletions = () => told.calls.filter((it) => it.name === "deleteSession");
  expect(deletions()).toHaveLength(0);

  await choose(user, "Port the CSV importer", "Delete…");
  await user.click(await screen.findByRole("button", { name: "Delete" }));
  expect(await screen.findByRole("heading", { name: TITLE })).toBeVisible();
  expect(deletions().map((it) => it.args)).toEqual([["s_2"]]);
  expect(screen.queryByRole("button", { name: /^Port the CSV importer/ })).toBeNull();
});

test("a session that cannot be deleted says why, and stays", async () => {
  const { backend } = scene("mock", NOW);
  const deleteSession = async () => {
    throw new BackendError({ kind: "turn_running", message: "" });
  };
  const user = openWindow({ ...backend, deleteSession });
  await choose(user, TITLE, "Delete…");
  await user.click(await screen.findByRole("button", { name: "Delete" }));
  expect(await screen.findByText(/A turn is running/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(screen.getByRole("heading", { name: TITLE })).toBeVisible();
});

test("JR-3: a damaged session is read, and goes on in a copy", async () => {
  const { backend } = scene("mock", NOW);
  const damaged = new BackendError({ kind: "session_damaged", message: "record 9 is torn" });
  const user = openWindow({
    ...backend,
    openSession: async (session, options) => {
      if (session === "s_1") throw damaged;
      return backend.openSession(session, options);
    },
    copySession: async () => ({ session: "s_2", lostRecords: 1, damage: "record 9 is torn" }),
  });
  expect(await screen.findByRole("region", { name: "Results of turn 2" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Go on in a copy" }));
  expect(await screen.findByRole("heading", { name: "Port the CSV importer" })).toBeVisible();
  expect(screen.getByText(/a copy goes on with that/)).toBeVisible();
});

test("the command menu does the same with the session on the screen", async () => {
  const user = openWindow(scene("mock", NOW).backend, { ...preferences, sidebarOpen: false });
  await screen.findByRole("region", { name: "Results of turn 2" });
  const command = async (name: string) => {
    await waitFor(() => expect(message()).toHaveFocus());
    await user.keyboard("{Control>}k{/Control}");
    const line = await screen.findByRole("combobox");
    await waitFor(() => expect(line).toHaveFocus());
    await user.keyboard(`${name}{Enter}`);
  };
  await command("Rename");
  expect(await screen.findByRole("dialog", { name: "Rename session" })).toBeVisible();
  await user.keyboard("{Escape}");
  await command("Search sess");
  const field = await screen.findByRole("textbox", { name: "Search sessions" });
  await waitFor(() => expect(field).toHaveFocus());
});
