// A session is loaded by pages, followed without a gap, and silent once it is closed.

import { expect, test, vi } from "vitest";
import { log, reading, started } from "../../app/tests/events.ts";
import { type Backend, BackendError } from "../../backend/backend.ts";
import { replay } from "../../backend/replay.ts";
import type { Feed, SessionEvent } from "../../bindings.ts";
import { newestTurn } from "../../state/session.ts";
import { recorded } from "../../state/tests/recorded.ts";
import { turnResultView } from "../../state/turnResult.ts";
import { goLive, isOutOfReach } from "./liveSession.ts";

const SESSION = "s_0000000000000007";

/** The first turn of a recording, over and over. */
function turns(count: number): SessionEvent[] {
  const first = recorded("edit_and_check");
  return Array.from({ length: count }, (_, turn) =>
    first.map((event) => ({ ...event, turn, seq: turn * 100 + event.seq })),
  ).flat();
}

test("AN-3: the last turns come first, older ones when they are asked for", async () => {
  const { backend } = replay([{ workspace: "/w", events: turns(50) }]);
  const live = goLive(backend, SESSION);
  await vi.waitFor(() => expect(live.load.state().is).toBe("loaded"));
  expect([...live.state.state().turns.keys()].length).toBe(20);
  live.loadOlder();
  live.loadOlder();
  await vi.waitFor(() => expect(live.load.state()).toMatchObject({ older: "idle" }));
  expect(Math.min(...live.state.state().turns.keys())).toBe(10);
  live.loadOlder();
  await vi.waitFor(() => expect(live.load.state()).toMatchObject({ more: false }));
  expect(live.state.state().turns.size).toBe(50);
});

test("JR-4: pages are loaded back to a turn that is sought, and no further", async () => {
  const { backend } = replay([{ workspace: "/w", events: turns(250) }]);
  const history = vi.fn(backend.history);
  const live = goLive({ ...backend, history }, SESSION);
  await vi.waitFor(() => expect(live.load.state().is).toBe("loaded"));
  live.loadBackTo(240);
  expect(history).toHaveBeenCalledTimes(1);
  live.loadBackTo(40);
  // Asked for while a page is on its way.
  live.loadBackTo(35);
  await vi.waitFor(() => expect(live.load.state()).toMatchObject({ older: "idle" }));
  expect(history.mock.calls.map(([, before, count]) => [before, count])).toEqual([
    [null, 20],
    [230, 100],
    [130, 100],
  ]);
  expect(isOutOfReach(live, 35)).toBe(false);
  expect(live.load.state()).toMatchObject({ more: true });
});

test("CL-6: a turn is out of reach once nothing older is left, and not while that is not known", async () => {
  const { backend } = replay([{ workspace: "/w", events: turns(130) }]);
  let fails = true;
  const history: Backend["history"] = async (session, before, count) => {
    if (fails && before !== null) throw new Error("no disk");
    const page = await backend.history(session, before, count);
    return { ...page, turns: page.turns.filter(({ turn }) => turn !== 3 && turn !== 120) };
  };
  const live = goLive({ ...backend, history }, SESSION);
  await vi.waitFor(() => expect(live.load.state().is).toBe("loaded"));
  expect([120, 3, 125].map((turn) => isOutOfReach(live, turn))).toEqual([true, false, false]);
  live.loadBackTo(3);
  expect(isOutOfReach(live, 3)).toBe(false);
  await vi.waitFor(() => expect(live.load.state()).toMatchObject({ older: "failed" }));
  expect(isOutOfReach(live, 3)).toBe(false);
  fails = false;
  // Another try goes on to it.
  live.loadOlder();
  await vi.waitFor(() => expect(live.load.state()).toMatchObject({ older: "idle" }));
  expect(isOutOfReach(live, 3)).toBe(true);
});

test("CL-7: a page that brings nothing older is the last that is asked for", async () => {
  const { backend } = replay([{ workspace: "/w", events: turns(30) }]);
  const history = vi.fn<Backend["history"]>(async (session, before, count) => {
    const page = await backend.history(session, null, count);
    return { ...page, turns: before === null ? page.turns : [], more: true };
  });
  const live = goLive({ ...backend, history }, SESSION);
  await vi.waitFor(() => expect(live.load.state().is).toBe("loaded"));
  live.loadBackTo(0);
  await vi.waitFor(() => expect(live.load.state()).toMatchObject({ more: false, older: "idle" }));
  expect(history).toHaveBeenCalledTimes(2);
  expect(isOutOfReach(live, 0)).toBe(true);
});

test("AN-4: a frame that is missing is made good by following again", async () => {
  const { backend } = replay([
    { workspace: "/w", events: recorded("edit_and_check"), playedFrom: 0 },
  ]);
  const feeds: ((frame: Feed) => void)[] = [];
  const follow: Backend["follow"] = async (_session, _after, onFrame) => {
    feeds.push(onFrame);
    return () => {};
  };
  const live = goLive({ ...backend, follow }, SESSION);
  await vi.waitFor(() => expect(feeds).toHaveLength(1));
  const delta = { session: SESSION, turn: 0, message: "m0-0" };
  feeds[0]?.({ delta: { ...delta, part: 0, text: "I look" } });
  feeds[0]?.({ delta: { ...delta, part: 2, text: "." } });
  await vi.waitFor(() => expect(feeds).toHaveLength(2));
  feeds[1]?.({ delta: { ...delta, part: 3, text: "I look first." } });
  expect(newestTurn(live.state.state())?.streaming?.text).toBe("I look first.");
});

test("UI-9: frames and pages for a closed session change nothing", async () => {
  const events = turns(30);
  const { backend } = replay([{ workspace: "/w", events }]);
  const feeds: ((frame: Feed) => void)[] = [];
  const live = goLive(
    {
      ...backend,
      follow: async (_session, _after, onFrame) => {
        feeds.push(onFrame);
        return () => {};
      },
    },
    SESSION,
  );
  await vi.waitFor(() => expect(live.load.state().is).toBe("loaded"));
  live.loadOlder();
  live.close();
  const [event] = turns(31).slice(-1);
  if (event === undefined) throw new Error("no event");
  feeds[0]?.({ event });
  await backend.history(SESSION, null, 1);
  expect(live.state.state().turns.size).toBe(20);
});

test("SM-4: a session that cannot be opened is read, with the reason", async () => {
  const { backend } = replay([{ workspace: "/w", events: recorded("edit_and_check") }]);
  const openSession = async (): Promise<never> => {
    throw new Error("busy");
  };
  const live = goLive({ ...backend, openSession }, SESSION);
  await vi.waitFor(() => expect(live.load.state().is).toBe("loaded"));
  expect(live.load.state()).toMatchObject({ readOnly: new Error("busy") });
  expect(live.state.state().turns.size).toBe(1);
});

/** What was recorded of a turn before the end of its first call. */
function cutOff(): SessionEvent[] {
  const events = recorded("edit_and_check");
  return events.slice(
    0,
    events.findIndex(({ kind }) => kind.type === "tool_finished"),
  );
}

test("CL-6, JR-3: nobody goes on with a damaged session, so the end of its last turn is unknown", async () => {
  const { backend } = replay([{ workspace: "/w", events: cutOff() }]);
  const openSession = async (): Promise<never> => {
    throw new BackendError({ kind: "session_damaged", message: "record 4 is torn" });
  };
  const live = goLive({ ...backend, openSession }, SESSION);
  await vi.waitFor(() => expect(live.load.state().is).toBe("loaded"));
  const turn = newestTurn(live.state.state());
  expect(turn?.end).toEqual({ outcome: { is: "unknown" }, receipt: undefined, at: undefined });
  const last = turn?.items.slice(-2);
  expect(last).toMatchObject([{ status: "unknown" }, { notice: "record_incomplete" }]);
  if (turn === undefined) throw new Error("no turn");
  const view = turnResultView(turn);
  expect(view?.changes).toEqual({ is: "unknown", missing: false });
  expect(view?.checks.status).toBe("unknown");
});

test("SM-3: what another program writes is not over because this window cannot write it", async () => {
  const { backend } = replay([{ workspace: "/w", events: cutOff() }]);
  const openSession = async (): Promise<never> => {
    throw new BackendError({ kind: "session_busy", message: "" });
  };
  const live = goLive({ ...backend, openSession }, SESSION);
  await vi.waitFor(() => expect(live.load.state().is).toBe("loaded"));
  expect(newestTurn(live.state.state())?.end).toBeUndefined();
});

test("RS-9: the reads of a turn are whole after the feed was followed again, and each is one", async () => {
  const { backend } = replay([{ workspace: "/w", events: turns(1), playedFrom: 0 }]);
  const feeds: { after: number; onFrame: (frame: Feed) => void }[] = [];
  const follow: Backend["follow"] = async (_session, after, onFrame) => {
    feeds.push({ after, onFrame });
    return () => {};
  };
  const live = goLive({ ...backend, follow }, SESSION);
  await vi.waitFor(() => expect(feeds).toHaveLength(1));
  const { add, events } = log(SESSION, 1_700_000_000);
  const kinds = [1, 2, 3, 4, 5].map((it) => reading(it, "logs/build.txt", [[0, it * 2000]]));
  add(0, started(0, "Read it all"), ...kinds);
  for (const event of events.slice(0, 3)) feeds[0]?.onFrame({ event });
  const delta = { session: SESSION, turn: 0, message: "m0-0" };
  feeds[0]?.onFrame({ delta: { ...delta, part: 0, text: "I" } });
  feeds[0]?.onFrame({ delta: { ...delta, part: 2, text: "on" } });
  await vi.waitFor(() => expect(feeds).toHaveLength(2));
  expect(feeds[1]?.after).toBe(events[2]?.seq);
  // The host says again what is after that, and the old feed may still say something.
  for (const event of events.slice(3)) feeds[1]?.onFrame({ event });
  for (const event of events) feeds[0]?.onFrame({ event });
  const reads = newestTurn(live.state.state())?.reads;
  expect(reads?.map(({ seq, covered }) => [seq, covered])).toEqual([[5, [[0, 10_000]]]]);
});
