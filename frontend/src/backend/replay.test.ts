// A recorded session reads the same as history and as it is played.

import { expect, test } from "vitest";
import type { Feed } from "../bindings.ts";
import { foldPage, reduce, reduceEvent } from "../state/reduce.ts";
import { emptySession, lastSeq, needsFollow } from "../state/session.ts";
import { recorded, recordings } from "../state/tests/recorded.ts";
import { replay } from "./replay.ts";

const WORKSPACE = "/home/you/ledger";
const SESSION = "s_0000000000000007";

test.each(recordings)("%s played is the same as %s folded", async (name) => {
  const events = recorded(name);
  const { backend, step } = replay([{ workspace: WORKSPACE, events, playedFrom: 0 }]);
  let state = emptySession;
  const frames: Feed[] = [];
  await backend.follow(SESSION, 0, (frame) => {
    frames.push(frame);
    state = reduce(state, frame);
    expect(needsFollow(state)).toBe(false);
  });
  const turns = new Set(events.map((it) => it.turn));
  for (const turn of turns) {
    expect(await backend.prompt(SESSION, "Next.")).toBe(turn);
    while (step(SESSION));
  }
  expect(state).toEqual(events.reduce(reduceEvent, emptySession));
  expect(frames.some((it) => it.delta !== undefined)).toBe(true);
  await expect(backend.prompt(SESSION, "More.")).rejects.toMatchObject({ kind: "missing" });
});

test("history comes in whole turns, newest first, and is followed from there", async () => {
  const events = recorded("refused_and_failed");
  const { backend } = replay([{ workspace: WORKSPACE, events }]);
  const newest = await backend.history(SESSION, null, 1);
  expect(newest.turns.map((it) => it.turn)).toEqual([1]);
  expect(newest.more).toBe(true);
  const oldest = await backend.history(SESSION, 1, 1);
  expect(oldest.more).toBe(false);
  const state = [newest, oldest].reduce(foldPage, emptySession);
  expect(state).toEqual(events.reduce(reduceEvent, emptySession));
  const late: Feed[] = [];
  await backend.follow(SESSION, lastSeq(state), (frame) => late.push(frame));
  expect(late).toEqual([]);
});

test("what was not recorded is missing", async () => {
  const events = recorded("edit_and_check");
  const patches = new Map([["a.txt", "@@ -1 +1 @@\n"]]);
  const { backend } = replay([{ workspace: WORKSPACE, events, patches }]);
  expect(new TextDecoder().decode(await backend.patch(SESSION, 0, "a.txt"))).toContain("@@");
  await expect(backend.patch(SESSION, 0, "b.txt")).rejects.toMatchObject({ kind: "missing" });
  await expect(backend.turnResult(SESSION, 4)).rejects.toMatchObject({ kind: "missing" });
  const [first] = await backend.listSessions();
  expect(first).toMatchObject({ title: "Make it a number.", workspace: WORKSPACE, turns: 1 });
});

test("a recorded session is found by its words", async () => {
  const { backend } = replay([{ workspace: WORKSPACE, events: recorded("edit_and_check") }]);
  const page = await backend.search(" NUMBER make");
  expect(page).toMatchObject({ total: 1, hits: [{ turn: 0, place: "prompt", matches: 1 }] });
  expect(await backend.search("nowhere")).toMatchObject({ total: 0, hits: [] });
  expect(await backend.search(" ")).toMatchObject({ total: 0 });
});

test("a recorded session is renamed, put away and deleted as the host would", async () => {
  const { backend } = replay([{ workspace: WORKSPACE, events: recorded("edit_and_check") }]);
  const renamed = await backend.renameSession(SESSION, `\n ${"x".repeat(80)}`);
  expect(renamed.title).toBe("x".repeat(60));
  expect(await backend.archiveSession(SESSION, true)).toMatchObject({ archived: true });
  expect((await backend.renameSession(SESSION, " ")).title).toBe("Make it a number.");
  await backend.deleteSession(SESSION);
  expect(await backend.listSessions()).toEqual([]);
  await expect(backend.deleteSession(SESSION)).rejects.toMatchObject({ kind: "missing" });
});
