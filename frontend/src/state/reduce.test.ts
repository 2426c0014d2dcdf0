// Folding: recorded logs in every order, streamed text with and without gaps.

import { describe, expect, test } from "vitest";
import type { Delta, EventKind, SessionEvent } from "../bindings.ts";
import { foldPage, followAgain, reduce, reduceDelta, reduceEvent } from "./reduce.ts";
import {
  emptySession,
  emptyTurn,
  lastSeq,
  needsFollow,
  newestTurn,
  runningTurn,
} from "./session.ts";
import { pagesOf, recorded, recordings } from "./tests/recorded.ts";
import { transcriptView, turnRows } from "./transcript.ts";

const SESSION = "s_0000000000000007";

function delta(part: number, text: string, message = "m0-0"): Delta {
  return { session: SESSION, turn: 0, message, part, text };
}

function event(seq: number, kind: EventKind): SessionEvent {
  return { session: SESSION, turn: 0, seq, at: 1_700_000_000, kind };
}

const capped = (text: string) => ({ text, totalBytes: text.length });

const started = event(3, {
  type: "turn_started",
  result: "0:1",
  prompt: capped("Go."),
  model: "scripted",
  preset: "workspace-write",
});

/** A repeatable source of chances, so that a failure can be seen again. */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

function shuffled<Value>(values: readonly Value[], chance: () => number): Value[] {
  const left = [...values];
  const mixed: Value[] = [];
  while (left.length > 0) mixed.push(...left.splice(Math.floor(chance() * left.length), 1));
  return mixed;
}

describe.each(recordings)("the log %s", (name) => {
  const events = recorded(name);
  const live = events.reduce(reduceEvent, emptySession);

  test("says the same as pages as it said live, in any order and with repeats (AN-3)", () => {
    for (let seed = 0; seed < 200; seed++) {
      const chance = chances(seed);
      const pages = shuffled([...pagesOf(events), ...pagesOf(events)], chance);
      expect(pages.reduce(foldPage, emptySession)).toEqual(live);
    }
  });

  test("says the same whatever part came live and whatever part as pages (AN-3)", () => {
    for (let seed = 0; seed < 200; seed++) {
      const chance = chances(seed);
      const cut = Math.floor(chance() * events.length);
      const stored = pagesOf(events.slice(0, cut));
      const opened = shuffled(stored, chance).reduce(foldPage, emptySession);
      const followed = events.filter((it) => it.seq > lastSeq(opened));
      const afterwards = shuffled(pagesOf(events), chance);
      expect(afterwards.reduce(foldPage, followed.reduce(reduceEvent, opened))).toEqual(live);
    }
  });

  test("says nothing new the second time", () => {
    expect(events.reduce(reduceEvent, live)).toBe(live);
    expect(pagesOf(events).reduce(foldPage, live)).toBe(live);
  });

  test("has events that say what is: a second one of the same words changes nothing", () => {
    const twice = events.flatMap((it) => [it, { ...it, seq: it.seq + 0.5 }]);
    const doubled = twice.reduce(reduceEvent, emptySession);
    const turns = [...doubled.turns.values()].map((it) => ({ ...it, seq: Math.floor(it.seq) }));
    expect(turns).toEqual([...live.turns.values()]);
  });

  test("drops what is at or below the turn's last event", () => {
    for (let seed = 0; seed < 50; seed++) {
      const late = shuffled(events, chances(seed)).slice(0, 5);
      expect(late.reduce(reduceEvent, live)).toBe(live);
    }
  });

  test("ends with its last event and without a running turn", () => {
    expect(lastSeq(live)).toBe(events.at(-1)?.seq);
    expect(runningTurn(live)).toBeUndefined();
    expect(transcriptView(live).active).toBeUndefined();
  });

  test("has rows with keys of their own, and the same rows for the same turn", () => {
    const rows = transcriptView(live).past.flatMap(turnRows);
    expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
    expect(transcriptView(live).past.flatMap(turnRows)).toEqual(rows);
    for (const turn of live.turns.values()) expect(turnRows(turn)).toBe(turnRows(turn));
  });
});

test("a page gives a turn the start that was missed live", () => {
  const events = recorded("edit_and_check");
  const half = events.slice(5).reduce(reduceEvent, emptySession);
  expect(newestTurn(half)?.prompt).toBeUndefined();
  const whole = pagesOf(events).reduce(foldPage, half);
  expect(whole).toEqual(events.reduce(reduceEvent, emptySession));
});

test("an event of another session is dropped", () => {
  const state = reduceEvent(emptySession, started);
  expect(reduceEvent(state, { ...started, session: "s_other", seq: 9 })).toBe(state);
  expect(reduceDelta(state, { ...delta(0, "x"), session: "s_other" })).toBe(state);
});

test("the recorded edit reads as prompt, steps, answer and result", () => {
  const state = recorded("edit_and_check").reduce(reduceEvent, emptySession);
  const rows = transcriptView(state).past.flatMap(turnRows);
  expect(rows.map((row) => row.is)).toEqual([
    "prompt",
    "message",
    "tool",
    "tool",
    "tool",
    "message",
    "result",
  ]);
  const tools = newestTurn(state)?.items.filter((it) => it.is === "tool") ?? [];
  expect(tools.map((it) => [it.tool, it.status, it.exitCode])).toEqual([
    ["read_file", "completed", undefined],
    ["edit_file", "completed", undefined],
    ["bash", "completed", 0],
  ]);
});

test("a rejected call that never started keeps its refusal", () => {
  const state = recorded("refused_and_failed").reduce(reduceEvent, emptySession);
  const first = state.turns.get(0)?.items.find((it) => it.is === "tool");
  expect(first?.status).toBe("rejected");
  expect(first?.refusal?.code).toBe("WRITE_EVIDENCE_MISSING");
  expect(first?.startedAt).toBeUndefined();
});

describe("streamed text", () => {
  const stream = (...deltas: Delta[]) =>
    deltas.reduce(reduceDelta, reduceEvent(emptySession, started));
  const textOf = (state: ReturnType<typeof stream>) => newestTurn(state)?.streaming?.text;

  test("is joined by part, and a repeated part says nothing new (AN-4)", () => {
    const state = stream(delta(0, "Hel"), delta(1, "lo"));
    expect(textOf(state)).toBe("Hello");
    expect(reduceDelta(state, delta(1, "lo"))).toBe(state);
    expect(reduceDelta(state, delta(0, "Hel"))).toBe(state);
    expect(needsFollow(state)).toBe(false);
  });

  test("keeps reasoning apart", () => {
    const state = stream({ ...delta(0, ""), reasoning: "Why" }, delta(1, "So"));
    expect(newestTurn(state)?.streaming).toMatchObject({ reasoning: "Why", text: "So" });
  });

  test("with a gap asks to be followed again, and adds nothing until then (AN-4)", () => {
    const state = stream(delta(0, "Hel"), delta(2, "!"), delta(3, "?"));
    expect(textOf(state)).toBe("Hel");
    expect(needsFollow(state)).toBe(true);
    expect(reduceDelta(state, delta(1, "lo"))).toBe(state);
  });

  test("is replaced by the first frame of a new follow, which holds all (AN-4)", () => {
    const again = followAgain(stream(delta(0, "Hel"), delta(2, "!")));
    expect(textOf(again)).toBe("Hel");
    expect(needsFollow(again)).toBe(false);
    const whole = [delta(2, "Hello!"), delta(3, "?")].reduce(reduceDelta, again);
    expect(textOf(whole)).toBe("Hello!?");
  });

  test("of a message that is met while it runs starts with all of it (AN-4)", () => {
    const state = stream(delta(7, "Hello"), delta(8, "!"));
    expect(textOf(state)).toBe("Hello!");
    expect(needsFollow(state)).toBe(false);
  });

  test("gives way to the committed message, and does not come back after it", () => {
    const state = stream(delta(0, "Hel"), delta(1, "lo"));
    const keys = (of: typeof state) => transcriptView(of).active && turnRowsOf(of);
    const turnRowsOf = (of: typeof state) =>
      [...of.turns.values()].flatMap(turnRows).map((row) => row.key);
    const committed = reduceEvent(
      state,
      event(5, {
        type: "message_committed",
        message: "m0-0",
        text: capped("Hello"),
        interrupted: false,
      }),
    );
    expect(newestTurn(committed)?.streaming).toBeUndefined();
    expect(keys(committed)).toEqual(keys(state));
    expect(reduceDelta(committed, delta(2, "?"))).toBe(committed);
  });

  test("of the next message takes the place of one that was never committed", () => {
    const state = stream(delta(0, "Hel"), delta(0, "So", "m0-1"));
    expect(newestTurn(state)?.streaming).toMatchObject({ message: "m0-1", text: "So" });
  });

  test("ends with the turn", () => {
    const state = stream(delta(0, "Hel"));
    const [last] = recorded("edit_and_check").slice(-1);
    const done = last === undefined ? state : reduceEvent(state, last);
    expect(newestTurn(done)?.streaming).toBeUndefined();
    expect(reduceDelta(done, delta(1, "lo"))).toBe(done);
  });
});

describe("an answer that is longer than its event carries", () => {
  const committed = (text: string, totalBytes: number) =>
    event(5, {
      type: "message_committed",
      message: "m0-0",
      text: { text, totalBytes },
      reasoning: { text: "We", totalBytes: 6 },
      interrupted: false,
    });
  const shown = (deltas: readonly Delta[], end: SessionEvent) => {
    const streamed = deltas.reduce(reduceDelta, reduceEvent(emptySession, started));
    const item = newestTurn(reduceEvent(streamed, end))?.items.at(-1);
    return item?.is === "message" ? [item.text.text, item.reasoning?.text] : undefined;
  };

  test("keeps what was streamed, if that was all of it", () => {
    const parts = [{ ...delta(0, ""), reasoning: "We–1" }, delta(1, "Hél"), delta(2, "lo")];
    expect(shown(parts, committed("Hé", 6))).toEqual(["Héllo", "We–1"]);
  });

  test("is cut where a part of it was not seen, or was stored differently", () => {
    expect(shown([delta(0, "Hél"), delta(2, "!")], committed("Hé", 7))).toEqual(["Hé", "We"]);
    expect(shown([delta(0, "Hello")], committed("Hé", 5))).toEqual(["Hé", "We"]);
    expect(shown([], committed("Hé", 6))).toEqual(["Hé", "We"]);
  });
});

describe("a question", () => {
  const call = "call00000";
  const asked = event(4, {
    type: "permission_asked",
    permission: "p0",
    call,
    tool: "bash",
    subject: capped("rm a"),
    reason: "no_sandbox",
  });
  const answered = (decision: "allow_once" | "deny") =>
    event(5, { type: "permission_answered", permission: "p0", call, decision });
  const fold = (...events: SessionEvent[]) => {
    const state = events.reduce((it, event) => reduce(it, { event }), emptySession);
    const turn = newestTurn(state);
    return { asking: turn?.asking?.permission, items: turn?.items ?? [] };
  };
  const statusOf = (...events: SessionEvent[]) =>
    fold(...events).items.map((it) => (it.is === "tool" ? it.status : it.is));

  test("stands open until it is answered, and its call waits", () => {
    expect(fold(started, asked).asking).toBe("p0");
    expect(statusOf(started, asked)).toEqual(["awaiting_permission"]);
    expect(fold(started, asked, answered("allow_once")).asking).toBeUndefined();
    expect(statusOf(started, asked, answered("allow_once"))).toEqual(["pending"]);
    expect(statusOf(started, asked, answered("deny"))).toEqual(["rejected"]);
  });

  test("ends with its call", () => {
    const finished = event(5, {
      type: "tool_finished",
      call,
      tool: "bash",
      title: capped("rm a"),
      status: "cancelled",
      output: capped(""),
    });
    expect(fold(started, asked, finished).asking).toBeUndefined();
    expect(statusOf(started, asked, finished)).toEqual(["cancelled"]);
  });

  test("and what runs are over when the turn is: nothing seems to go on (CL-6)", () => {
    const runs = event(5, { type: "tool_started", call: "c1", tool: "bash", title: capped("x") });
    const [last] = recorded("edit_and_check").slice(-1);
    if (last === undefined) throw new Error("the recording has no end");
    expect(statusOf(started, asked, runs, last)).toEqual(["cancelled", "unknown"]);
    expect(fold(started, asked, runs, last).asking).toBeUndefined();
  });
});

describe("a background job", () => {
  const changed = (seq: number, turn: number, state: "running" | "ended"): SessionEvent => ({
    ...event(seq, {
      type: "job_changed",
      job: "job3",
      call: "call00003",
      title: capped("npm run dev"),
      state,
      ...(state === "ended" ? { exitCode: 1 } : {}),
    }),
    turn,
  });
  const rowsOf = (state: ReturnType<typeof reduceEvent>, turn: number) =>
    turnRows(state.turns.get(turn) ?? emptyTurn(turn))
      .filter((row) => row.is === "job")
      .map((row) => `${row.key} ${row.job.state} ${row.job.exitCode ?? "-"}`);

  test("is one row of each turn in which it ran, with what was last said of it", () => {
    const events = [changed(4, 0, "running"), changed(9, 1, "running"), changed(12, 1, "ended")];
    const state = events.reduce(reduceEvent, emptySession);
    expect(rowsOf(state, 0)).toEqual(["0/j/job3 running -"]);
    expect(rowsOf(state, 1)).toEqual(["1/j/job3 ended 1"]);
  });

  test("can end after its turn has", () => {
    const done = recorded("edit_and_check").at(-1);
    if (done === undefined) throw new Error("the recording has no end");
    const after = changed(done.seq + 1, done.turn, "ended");
    const state = [changed(2, done.turn, "running"), done, after].reduce(reduceEvent, emptySession);
    expect(rowsOf(state, done.turn)).toEqual([`${done.turn}/j/job3 ended 1`]);
  });
});

test("a turn that was cut off says so once: by the notice, or else by a row of its own", () => {
  const end = { outcome: { is: "interrupted" }, receipt: undefined, at: 0 } as const;
  const kinds = (...notices: "turn_recovered"[]) =>
    turnRows({
      ...emptyTurn(0),
      end,
      items: notices.map((notice) => ({ is: "notice", notice })),
    }).map((row) => row.is);
  expect(kinds()).toEqual(["stopped", "result"]);
  expect(kinds("turn_recovered")).toEqual(["notice", "result"]);
});
