// What crosses to the host: commands and their values, frames in order, bytes, errors by kind.

import { Channel } from "@tauri-apps/api/core";
import { clearMocks, mockIPC } from "@tauri-apps/api/mocks";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Feed } from "../bindings.ts";
import { isRecord } from "../state/shape.ts";
import { BackendError } from "./backend.ts";
import { tauriBackend } from "./tauri.ts";

type Call = { command: string; values: unknown };

let calls: Call[] = [];
let answer: (call: Call) => unknown = () => null;

beforeEach(() => {
  calls = [];
  mockIPC((command, values) => {
    const call = { command, values };
    calls.push(call);
    return answer(call);
  });
});

afterEach(() => {
  answer = () => null;
  clearMocks();
});

const SESSION = "s_0000000000000007";

const frame = (part: number): Feed => ({
  delta: { session: SESSION, turn: 0, message: "m0-0", part, text: String(part) },
});

test("each method is one command with its values by name", async () => {
  const preset = "workspace-write";
  await tauriBackend.newSession("/tmp/it", { addDirs: ["/tmp/more"], preset });
  await tauriBackend.history(SESSION, null, 20);
  await tauriBackend.answer(SESSION, "p0", "allow_once");
  await tauriBackend.stopReading(SESSION, "read-0-1");
  expect(calls).toEqual([
    {
      command: "new_session",
      values: { folder: "/tmp/it", addDirs: ["/tmp/more"], preset },
    },
    { command: "history", values: { session: SESSION, before: null, count: 20 } },
    { command: "answer", values: { session: SESSION, permission: "p0", decision: "allow_once" } },
    { command: "stop_reading", values: { session: SESSION, readId: "read-0-1" } },
  ]);
});

test("a patch comes as bytes", async () => {
  answer = () => new Uint8Array([64, 64, 255]).buffer;
  expect(await tauriBackend.patch(SESSION, 0, "a.txt")).toEqual(new Uint8Array([64, 64, 255]));
});

test("a picture comes as bytes, asked for by its side", async () => {
  answer = () => new Uint8Array([137, 80]).buffer;
  expect(await tauriBackend.picture(SESSION, 0, "a.png", "after")).toEqual(
    new Uint8Array([137, 80]),
  );
  const values = { session: SESSION, turn: 0, path: "a.png", side: "after" };
  expect(calls).toEqual([{ command: "picture", values }]);
});

test("LG-4: a log comes as bytes, with how much there was in all before it", async () => {
  const text = new TextEncoder().encode("é end");
  const bytes = new Uint8Array(8 + text.length);
  new DataView(bytes.buffer).setBigUint64(0, 5_000_000_000n, true);
  bytes.set(text, 8);
  answer = () => bytes.buffer;
  expect(await tauriBackend.checkLog(SESSION, 0, "c1", "r1")).toEqual({
    text: "é end",
    shownBytes: 6,
    totalBytes: 5_000_000_000,
    isCut: true,
  });
});

/** Sends over a channel that came with a command. */
function send(channel: "frames" | "broke", index: number, message: unknown): void {
  const values = calls.find((it) => it.command === "follow")?.values;
  const to = isRecord(values) ? values[channel] : undefined;
  if (!(to instanceof Channel)) throw new Error("no such channel came");
  Reflect.get(window, "__TAURI_INTERNALS__").runCallback(to.id, { index, message });
}

test("frames come in order, and none after the end", async () => {
  answer = ({ command }) => (command === "follow" ? 5 : null);
  const seen: Feed[] = [];
  const stop = await tauriBackend.follow(SESSION, 9, (it) => seen.push(it));
  send("frames", 1, frame(1));
  send("frames", 0, frame(0));
  stop();
  stop();
  send("frames", 2, frame(2));
  expect(seen).toEqual([frame(0), frame(1)]);
  expect(calls.map((it) => it.command)).toEqual(["follow", "unfollow"]);
  expect(calls[1]?.values).toEqual({ feed: 5 });
});

test("a feed that breaks says why", async () => {
  answer = () => 5;
  const broken: BackendError[] = [];
  const onBroken = (error: BackendError) => broken.push(error);
  await tauriBackend.follow(SESSION, 9, () => undefined, onBroken);
  send("broke", 0, { kind: "missing", message: "its file is gone" });
  expect(broken).toMatchObject([{ kind: "missing", message: "its file is gone" }]);
});

test.each([
  [{ kind: "turn_running", message: "wait" }, "turn_running", "wait"],
  [{ kind: "solar_flare", message: "wait" }, "internal", '{"kind":"solar_flare","message":"wait"}'],
  ["command prompt not found", "internal", "command prompt not found"],
  [new Error("gone"), "internal", "gone"],
])("the error %j is thrown with its kind", async (error, kind, message) => {
  answer = () => {
    throw error;
  };
  const thrown = await tauriBackend.prompt(SESSION, "Go.").catch((it: unknown) => it);
  expect(thrown).toBeInstanceOf(BackendError);
  expect(thrown).toMatchObject({ kind, message });
});
