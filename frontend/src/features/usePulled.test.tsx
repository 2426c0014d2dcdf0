// A late answer never shows under another name (UI-9).

import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { BackendError } from "../backend/backend.ts";
import { usePulled } from "./usePulled.ts";

type Ask = { resolve: (value: string) => void; reject: (error: unknown) => void };

/** A hook whose questions are answered by hand, by what they asked for. */
function pulling(first: string) {
  const asks = new Map<string, Ask[]>();
  const pull = (what: string) =>
    new Promise<string>((resolve, reject) => {
      asks.set(what, [...(asks.get(what) ?? []), { resolve, reject }]);
    });
  const hook = renderHook(({ what }) => usePulled(["s1", "1:5", what], () => pull(what)), {
    initialProps: { what: first },
  });
  const ask = (what: string, nth = 0): Ask => {
    const found = asks.get(what)?.[nth];
    if (found === undefined) throw new Error(`${what} was not asked for`);
    return found;
  };
  return { hook, ask, count: (what: string) => asks.get(what)?.length ?? 0 };
}

test("an answer is shown when it comes", async () => {
  const { hook, ask } = pulling("a");
  expect(hook.result.current.pulled).toEqual({ is: "loading" });
  await act(async () => ask("a").resolve("patch of a"));
  expect(hook.result.current.pulled).toEqual({ is: "here", value: "patch of a" });
});

test("an answer for what is no longer shown is dropped", async () => {
  const { hook, ask } = pulling("a");
  hook.rerender({ what: "b" });
  await act(async () => ask("a").resolve("patch of a"));
  expect(hook.result.current.pulled).toEqual({ is: "loading" });
  await act(async () => ask("b").resolve("patch of b"));
  expect(hook.result.current.pulled).toEqual({ is: "here", value: "patch of b" });
});

test("what was shown is gone in the same moment as its key", async () => {
  const { hook, ask } = pulling("a");
  await act(async () => ask("a").resolve("patch of a"));
  hook.rerender({ what: "b" });
  expect(hook.result.current.pulled).toEqual({ is: "loading" });
});

test("coming back asks again, and the first answer stays dropped", async () => {
  const { hook, ask } = pulling("a");
  hook.rerender({ what: "b" });
  hook.rerender({ what: "a" });
  await act(async () => ask("a", 0).resolve("old"));
  expect(hook.result.current.pulled).toEqual({ is: "loading" });
  await act(async () => ask("a", 1).resolve("new"));
  expect(hook.result.current.pulled).toEqual({ is: "here", value: "new" });
});

test("a late failure is dropped too", async () => {
  const { hook, ask } = pulling("a");
  hook.rerender({ what: "b" });
  await act(async () => ask("b").resolve("patch of b"));
  await act(async () => ask("a").reject(new Error("late")));
  expect(hook.result.current.pulled).toEqual({ is: "here", value: "patch of b" });
});

test("an answer after the end is dropped", async () => {
  const { hook, ask } = pulling("a");
  hook.unmount();
  await act(async () => ask("a").resolve("late"));
  expect(hook.result.current.pulled).toEqual({ is: "loading" });
});

test("the same key is asked for once", () => {
  const { hook, count } = pulling("a");
  hook.rerender({ what: "a" });
  hook.rerender({ what: "a" });
  expect(count("a")).toBe(1);
});

test("what is not there is unavailable; any other failure can be tried again", async () => {
  const { hook, ask } = pulling("a");
  await act(async () => ask("a").reject(new BackendError({ kind: "missing", message: "gone" })));
  expect(hook.result.current.pulled).toEqual({ is: "unavailable" });

  hook.rerender({ what: "b" });
  const error = new BackendError({ kind: "internal", message: "disk" });
  await act(async () => ask("b").reject(error));
  expect(hook.result.current.pulled).toEqual({ is: "failed", error });

  act(() => hook.result.current.again());
  expect(hook.result.current.pulled).toEqual({ is: "loading" });
  await act(async () => ask("b", 1).resolve("patch of b"));
  expect(hook.result.current.pulled).toEqual({ is: "here", value: "patch of b" });
});
