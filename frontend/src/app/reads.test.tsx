// Large files are read beside the conversation: nothing of it moves, and each read can be acted on.

import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { replay } from "../backend/replay.ts";
import type { EventKind } from "../bindings.ts";
import { done, log, reading, receipt, said, started } from "./tests/events.ts";
import { listened, message, openWindow } from "./tests/openWindow.tsx";
import { providers } from "./tests/scenes.ts";

// The whole window in a page without layout is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const PATH = "logs/build.txt";

/** A turn that is played frame by frame. */
function played(...kinds: EventKind[]) {
  const { events, add } = log("s_1", 1_700_000_000);
  add(0, started(0, "Read it all"), ...kinds);
  const { backend, step } = replay([{ workspace: "/src", events, playedFrom: 0 }]);
  return {
    ...listened({ ...backend, settings: async () => providers }),
    step: async (frames = 1) => {
      for (let at = 0; at < frames; at += 1) await act(async () => void step("s_1"));
    },
  };
}

const pages = Array.from({ length: 100 }, (_, at) => reading(at + 1, PATH, [[0, (at + 1) * 200]]));

const blocked = reading(101, PATH, [[0, 20_000]], {
  state: "blocked",
  reason: "page_budget",
  missing: [[20_000, 30_000]],
  sourceEnd: 30_000,
  active: false,
});

async function begin(it: ReturnType<typeof played>) {
  const user = openWindow(it.backend);
  await waitFor(() => expect(message()).toBeEnabled());
  await user.type(message(), "Read it all");
  await user.keyboard("{Enter}");
  await it.step();
  await screen.findByRole("heading", { name: /Turn 1/ });
  return user;
}

const area = () => screen.findByRole("region", { name: "Reading of files" });

test("RS-7: a hundred pages of a read change nothing in the conversation", async () => {
  const it = played(...pages, blocked);
  await begin(it);
  await it.step();
  const reads = await area();
  const conversation = screen.getByRole("region", { name: "Transcript" });
  expect(conversation).not.toContainElement(reads);
  const changes: MutationRecord[] = [];
  const watch = new MutationObserver((records) => changes.push(...records));
  watch.observe(conversation, {
    subtree: true,
    childList: true,
    attributes: true,
    characterData: true,
  });
  await it.step(100);
  await within(reads).findByText("Budget reached · missing lines 20,001–30,000");
  watch.disconnect();
  expect(changes).toEqual([]);
  expect(within(reads).getAllByRole("listitem")).toHaveLength(1);
});

test("AX-1: start, pause and stop of a read are told, and none of its pages", async () => {
  const it = played(...pages, blocked);
  await begin(it);
  const region = screen.getAllByRole("status").find((at) => at.ariaLive === "polite");
  if (region === undefined) throw new Error("there is no live region");
  const told: (string | null)[] = [];
  new MutationObserver(() => told.push(region.textContent)).observe(region, {
    subtree: true,
    childList: true,
    characterData: true,
  });
  await it.step();
  await waitFor(() => expect(told).toHaveLength(1));
  await it.step(50);
  expect(await within(await area()).findByText("lines 1–10,200")).toBeVisible();
  await it.step(50);
  await waitFor(() => expect(told.at(-1)).toMatch(/paused/));
  expect(told).toEqual(["Reading logs/build.txt", "Reading logs/build.txt paused: Budget reached"]);
});

test("RC-25: the running read is stopped by its id, and the turn is not", async () => {
  const cancelled = reading(2, PATH, [[0, 2000]], { state: "cancelled", active: false });
  const it = played(reading(1, PATH, [[0, 2000]]), cancelled);
  const user = await begin(it);
  await it.step();
  await user.click(await screen.findByRole("button", { name: `Stop reading ${PATH}` }));
  expect(it.calls.filter(({ name }) => name === "stopReading")).toEqual([
    { name: "stopReading", args: ["s_1", "read-0-1"] },
  ]);
  expect(it.calls.map(({ name }) => name)).not.toContain("interrupt");
  await it.step();
  expect(await within(await area()).findByText("Stopped")).toBeVisible();
  expect(message()).toHaveFocus();
});

test("RC-21: a file that was not read to its end is gone on with by a message", async () => {
  const end = done(receipt(0, []), { is: "incomplete_read" });
  const it = played(blocked, said("m1", "As far as I have read."), end);
  const user = await begin(it);
  await it.step(10);
  const card = await screen.findByRole("region", { name: "Results of turn 1" });
  expect(card).toHaveTextContent("reading incomplete");
  expect(card).toHaveTextContent(
    "A file was not read to its end. Send a message to go on with it.",
  );
  expect(screen.getByTitle(/^reading incomplete · No net changes$/)).toBeVisible();
  await user.type(message(), "And then:");
  await user.click(screen.getByRole("button", { name: `Go on reading ${PATH}` }));
  await user.click(screen.getByRole("button", { name: `Go on reading ${PATH}` }));
  expect(message()).toHaveFocus();
  expect(message()).toHaveValue(`And then:\nGo on reading ${PATH} from line 20001.`);
});

test("RS-8: a new turn clears the rows of the one before", async () => {
  const { events, add } = log("s_1", 1_700_000_000);
  add(0, started(0, "Read it all"), blocked, done(receipt(0, []), { is: "incomplete_read" }));
  add(1, started(1, "Never mind"));
  const { backend, step } = replay([{ workspace: "/src", events, playedFrom: 1 }]);
  const user = openWindow({ ...backend, settings: async () => providers });
  const reads = await area();
  await user.type(message(), "Never mind");
  await user.keyboard("{Enter}");
  await act(async () => void step("s_1"));
  await waitFor(() => expect(reads).not.toBeInTheDocument());
});
