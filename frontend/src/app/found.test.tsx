// What a search found is gone to: its turn, however far back, and nothing that is not wanted any more.

import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { type Backend, BackendError, type SearchHit } from "../backend/backend.ts";
import { replay } from "../backend/replay.ts";
import type { TurnId } from "../bindings.ts";
import { message, openWindow } from "./tests/openWindow.tsx";
import { long, providers, renamed } from "./tests/scenes.ts";

// The whole window in a page without layout is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const NOW = 1_700_000_000;
const TURNS = 130;

/** What the next search finds. */
let sought: TurnId | null = null;

/** A short session on the screen and a long one, of which a search finds a turn. */
function sessions(turn: TurnId | null): Backend {
  sought = turn;
  const { backend } = replay([
    { workspace: "/w", events: renamed("s_1", NOW - 40) },
    { workspace: "/w", events: long("s_3", NOW - 9000, TURNS) },
  ]);
  const search = async () => {
    const session = (await backend.listSessions()).find((it) => it.session === "s_3");
    if (session === undefined) throw new Error("it is listed");
    const hit: SearchHit = {
      session,
      turn: sought,
      place: "prompt",
      excerpt: `the router at ${sought}`,
      matches: 1,
    };
    return { hits: [hit], total: 1, isPartial: false };
  };
  return { ...backend, settings: async () => providers, search };
}

const sidebar = () => screen.getByRole("navigation", { name: "Sessions" });
const field = () => screen.getByRole("textbox", { name: "Search sessions" });
const foundHit = (turn: TurnId | null) =>
  within(sidebar()).findByRole("button", { name: new RegExp(`the router at ${turn}\\b`) });
/** Every turn that was gone to since, in its order. */
function goneTo(): string[] {
  const names: string[] = [];
  const look = () => {
    const name = document.querySelector("[data-found]")?.getAttribute("aria-label") ?? undefined;
    if (name !== undefined && names.at(-1) !== name) names.push(name);
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
  return names;
}

/** Searches again, and goes to what is found. */
async function goOnTo(user: UserEvent, turn: TurnId) {
  sought = turn;
  await user.clear(field());
  await user.type(field(), `router ${turn}`);
  await user.click(await foundHit(turn));
  await waitFor(() =>
    expect(screen.getByRole("group", { name: `Turn ${turn + 1}` })).toHaveFocus(),
  );
}

const HEADING = "Explain part 1 of the router";

async function search(backend: Backend) {
  const user = openWindow(backend);
  await screen.findByRole("region", { name: "Results of turn 2" });
  await user.click(field());
  await user.keyboard("router");
  return { user, hit: await foundHit(sought) };
}

test("a hit leads to its turn: older pages are loaded until it is there, and it has the focus", async () => {
  const backend = sessions(4);
  const history = vi.fn(backend.history);
  const { user, hit } = await search({ ...backend, history });
  await user.click(hit);
  const turn = await screen.findByRole("group", { name: "Turn 5" });
  await waitFor(() => expect(turn).toHaveFocus());
  expect(turn).toHaveTextContent("Explain part 5 of the router");
  const pages = history.mock.calls.filter(([session]) => session === "s_3");
  expect(pages.length).toBeLessThanOrEqual(3);

  // Once it is left it is a row as the others.
  await user.click(message());
  expect(screen.queryByRole("group", { name: "Turn 5" })).toBeNull();
});

test("Enter in the field leads to the turn of the first hit, and a hit of the session on the screen to another", async () => {
  const { user } = await search(sessions(125));
  const turns = goneTo();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.getByRole("group", { name: "Turn 126" })).toHaveFocus());
  await goOnTo(user, TURNS - 1);
  expect(turns).toEqual(["Turn 126", "Turn 130"]);
  expect(screen.queryByRole("group", { name: "Turn 126" })).toBeNull();
});

test("a hit in the title opens the session at its end", async () => {
  const { user, hit } = await search(sessions(null));
  await user.click(hit);
  expect(await screen.findByRole("heading", { name: HEADING })).toBeVisible();
  await waitFor(() => expect(message()).toHaveFocus());
  expect(screen.queryByRole("group", { name: /^Turn/ })).toBeNull();
});

test("CL-6: a turn that can no longer be read is said to be none of those that can, once all are loaded", async () => {
  const backend = sessions(4);
  // As where the record of it is damaged.
  const history: Backend["history"] = async (...asked) => {
    const page = await backend.history(...asked);
    return { ...page, turns: page.turns.filter((it) => it.turn !== 4) };
  };
  const { user, hit } = await search({ ...backend, history });
  await user.click(hit);
  const text = "The turn that was found is not among those that can be read";
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.queryByRole("group", { name: /^Turn/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(screen.queryByText(text)).toBeNull();
});

test("CL-6: while pages are loaded, or could not be, nothing is said of the turn; another try goes on to it", async () => {
  const backend = sessions(4);
  let fails = true;
  const history: Backend["history"] = async (session, before, count) => {
    if (fails && before !== null) throw new BackendError({ kind: "internal", message: "no disk" });
    return backend.history(session, before, count);
  };
  const { user, hit } = await search({ ...backend, history });
  await user.click(hit);
  expect(await screen.findByText(/Older turns could not be loaded/)).toBeVisible();
  expect(screen.queryByText(/is not among those/)).toBeNull();
  fails = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("group", { name: "Turn 5" })).toBeVisible();
});

test("CL-8: pages that come after the reader went to another session lead nowhere, there or here", async () => {
  const backend = sessions(4);
  const held: (() => void)[] = [];
  const history = vi.fn<Backend["history"]>(async (session, before, count) => {
    if (before === 110) await new Promise<void>((go) => held.push(go));
    return backend.history(session, before, count);
  });
  const { user, hit } = await search({ ...backend, history });
  await user.click(hit);
  await waitFor(() => expect(held).toHaveLength(1));
  await user.clear(field());
  await user.click(await within(sidebar()).findByRole("button", { name: /^Where is the token/ }));
  await screen.findByRole("region", { name: "Results of turn 2" });
  const turns = goneTo();
  held[0]?.();
  await waitFor(() => expect(history).toHaveResolvedTimes(4));
  await user.click(within(sidebar()).getByRole("button", { name: /^Explain part 1/ }));
  expect(await screen.findByRole("heading", { name: HEADING })).toBeVisible();
  await goOnTo(user, 125);
  expect(turns).toEqual(["Turn 126"]);
});

test("AX-3: who writes meanwhile keeps the focus, and the turn is gone to all the same", async () => {
  const backend = sessions(4);
  const held: (() => void)[] = [];
  const history: Backend["history"] = async (session, before, count) => {
    if (before === 110) await new Promise<void>((go) => held.push(go));
    return backend.history(session, before, count);
  };
  const { user, hit } = await search({ ...backend, history });
  await user.click(hit);
  await waitFor(() => expect(held).toHaveLength(1));
  await user.click(message());
  await user.keyboard("And then");
  held[0]?.();
  expect(await screen.findByRole("group", { name: "Turn 5" })).toBeVisible();
  expect(message()).toHaveFocus();
});

test("UI-30: who moves the view meanwhile is left where they are", async () => {
  const backend = sessions(4);
  const held: (() => void)[] = [];
  const history: Backend["history"] = async (session, before, count) => {
    if (before === 110) await new Promise<void>((go) => held.push(go));
    return backend.history(session, before, count);
  };
  const { user, hit } = await search({ ...backend, history });
  await user.click(hit);
  await waitFor(() => expect(held).toHaveLength(1));
  const turns = goneTo();
  const transcript = screen.getByRole("region", { name: "Transcript" });
  fireEvent.wheel(transcript, { deltaY: -10 });
  held[0]?.();
  await waitFor(() => expect(screen.queryByText("Loading older turns…")).toBeNull());
  await goOnTo(user, 125);
  expect(turns).toEqual(["Turn 126"]);
});
