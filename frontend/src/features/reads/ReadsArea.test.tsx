// A read says how far it came, in words and to scale, and what can be done about it now.

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRef } from "react";
import { describe, expect, test, vi } from "vitest";
import type { ReadStatus } from "../../bindings.ts";
import { type Language, languages } from "../../locale/index.ts";
import { foldRead, type ReadRow } from "../../state/readStatus.ts";
import { renderIn } from "../forTests.tsx";
import { ReadsArea } from "./ReadsArea.tsx";

function status(seq: number, more: Partial<ReadStatus> = {}): ReadStatus {
  return {
    version: 2,
    readId: "read-0-1",
    generation: 0,
    seq,
    path: "src/auth.rs",
    intent: "full",
    state: "needs_more",
    covered: [[0, 400]],
    missing: [],
    hasMore: true,
    active: true,
    ...more,
  };
}

const fold = (...of: ReadStatus[]) => of.reduce<readonly ReadRow[]>(foldRead, []);

const gaps: Partial<ReadStatus> = {
  covered: [
    [0, 400],
    [720, 1000],
  ],
  missing: [
    [400, 720],
    [1000, 1164],
  ],
  sourceEnd: 1164,
};

const blocked: Partial<ReadStatus> = {
  ...gaps,
  state: "blocked",
  reason: "page_budget",
  recovery: { offset: 400, limit: 2000 },
  active: false,
};

function show(reads: readonly ReadRow[], isRunning = true, language: Language = "en") {
  const onStop = vi.fn(async () => {});
  const onGoOn = vi.fn();
  const after = createRef<HTMLTextAreaElement>();
  const node = (rows: readonly ReadRow[], running: boolean) => (
    <>
      <ReadsArea reads={rows} isRunning={running} onStop={onStop} onGoOn={onGoOn} after={after} />
      <textarea ref={after} aria-label="field" />
    </>
  );
  const { rerender } = renderIn(node(reads, isRunning), language);
  return {
    onStop,
    onGoOn,
    next: (rows: readonly ReadRow[], running = true) => rerender(node(rows, running)),
  };
}

describe("RS-5: how far a read came", () => {
  test("stands in lines from 1, each range apart, and to scale under the same words", () => {
    show(fold(status(1, gaps)));
    const item = screen.getByRole("listitem");
    expect(item).toHaveTextContent("lines 1–400, 721–1,000 of 1,164");
    const strip = within(item).getByRole("img", {
      name: "Read so far: lines 1–400, 721–1,000 of 1,164",
    });
    const parts = [...strip.children].map((it) => it.getAttribute("style"));
    expect(parts).toEqual([
      expect.stringMatching(/^left: 0%; width: 34\.36/),
      expect.stringMatching(/^left: 61\.85.*%; width: 24\.05/),
    ]);
  });

  test("claims no scale and no share where nobody knows how long the file is", () => {
    show(fold(status(1, { covered: [[0, 18_000]] })));
    expect(screen.queryByRole("img")).toBeNull();
    expect(screen.getByRole("listitem")).toHaveTextContent("lines 1–18,000");
    expect(screen.getByRole("listitem").textContent).not.toMatch(/%|of/);
  });

  test.each<[Partial<ReadStatus>, string]>([
    [{ covered: [[7, 8]] }, "line 8"],
    [{ covered: [] }, "no lines yet"],
    [{ covered: [], sourceEnd: 9 }, "no lines yet, of 9"],
    [{ covered: [[0, 9]], sourceEnd: 9 }, "the whole file: 9 lines"],
    [{ covered: [], sourceEnd: 0 }, "the whole file, which is empty"],
  ])("%j reads as %s", (more, text) => {
    show(fold(status(1, more)));
    expect(screen.getByText(text)).toBeVisible();
  });

  test("names the first ranges, counts the others, and has all of them in its details", async () => {
    const covered = Array.from({ length: 7 }, (_, at): [number, number] => [at * 10, at * 10 + 5]);
    show(fold(status(1, { covered })));
    expect(screen.getByText("lines 1–5, 11–15, 21–25, 31–35 · 3 more ranges")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Details of reading src/auth.rs" }));
    expect(screen.getByText(/^lines .* 41–45, 51–55, 61–65$/)).toBeVisible();
  });

  test("is no warning, and nothing that interrupts who listens", () => {
    show(fold(status(1), status(2, gaps)));
    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.queryByRole("status")).toBeNull();
    expect(screen.queryByText("Paused")).toBeNull();
  });
});

test("RS-4: a hundred states of a read stay one row, and the row the same", () => {
  let rows = fold(status(1, { covered: [[0, 10]] }));
  const { next } = show(rows);
  const [item] = screen.getAllByRole("listitem");
  const button = screen.getByRole("button", { name: "Stop reading src/auth.rs" });
  for (let seq = 2; seq <= 100; seq += 1) {
    rows = foldRead(rows, status(seq, { covered: [[0, seq * 10]] }));
    next(rows);
  }
  expect(screen.getAllByRole("listitem")).toEqual([item]);
  expect(screen.getByRole("button", { name: "Stop reading src/auth.rs" })).toBe(button);
  expect(item).toHaveTextContent("lines 1–1,000");
});

test("two reads at once are two rows, each with its own lines", () => {
  show(fold(status(1, gaps), status(2, { readId: "read-0-2", path: "logs/build.txt" })));
  const rows = screen.getAllByRole("listitem");
  expect(rows[0]).toHaveTextContent("src/auth.rs");
  expect(rows[1]).toHaveTextContent("logs/build.txt");
  expect(rows).toHaveLength(2);
});

describe("RS-6: a read that paused", () => {
  test.each([
    ["page_budget", "Budget reached"],
    ["no_progress", "No progress"],
    ["unversioned_source", "Source cannot be joined"],
  ] as const)("because of %s says %s, and which lines are missing", (reason, words) => {
    show(fold(status(1, { ...blocked, reason })));
    const item = screen.getByRole("listitem");
    expect(item).toHaveTextContent("Paused");
    expect(item).toHaveTextContent(`${words} · missing lines 401–720, 1,001–1,164`);
  });

  test("has its ids and its code folded away", async () => {
    show(fold(status(3, { ...blocked, generation: 1 })));
    expect(screen.queryByText("page_budget")).toBeNull();
    const details = screen.getByRole("button", { name: "Details of reading src/auth.rs" });
    expect(details).toHaveAttribute("aria-expanded", "false");
    await userEvent.click(details);
    expect(details).toHaveAttribute("aria-expanded", "true");
    const facts = screen.getByText("page_budget").closest("dl");
    expect(facts).toHaveTextContent("It took as many pages as one read may take.");
    expect(facts).toHaveTextContent("read-0-1");
    expect(facts).toHaveTextContent("Version of the file2");
  });

  test("is gone on with by a message, once the turn has ended", async () => {
    const { onGoOn } = show(fold(status(1, blocked)), false);
    expect(screen.queryByRole("button", { name: /^Stop/ })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Go on reading src/auth.rs" }));
    expect(onGoOn).toHaveBeenCalledExactlyOnceWith("Go on reading src/auth.rs from line 401.");
  });

  test("can be stopped while the turn runs, and then not gone on with", () => {
    show(fold(status(1, blocked)));
    expect(screen.getByRole("button", { name: "Stop reading src/auth.rs" })).toBeVisible();
    expect(screen.queryByRole("button", { name: /^Go on/ })).toBeNull();
  });
});

describe("RC-25: a whole file that is read", () => {
  test("is stopped by mouse, once, and the button waits for the cancelled frame", async () => {
    const rows = fold(status(1, gaps));
    const { onStop, next } = show(rows);
    const button = screen.getByRole("button", { name: "Stop reading src/auth.rs" });
    await userEvent.click(button);
    await userEvent.click(button);
    expect(onStop).toHaveBeenCalledExactlyOnceWith("read-0-1");
    expect(button).toHaveTextContent("Stopping…");
    expect(button).toHaveFocus();
    next(foldRead(rows, status(2, { ...gaps, state: "cancelled", active: false })));
    expect(button).not.toBeInTheDocument();
    expect(screen.getByRole("listitem")).toHaveTextContent("Stoppedsrc/auth.rs");
    expect(screen.getByRole("listitem")).toHaveTextContent("missing lines 401–720, 1,001–1,164");
    expect(screen.getByRole("textbox", { name: "field" })).toHaveFocus();
  });

  test.each(["{Enter}", " "])("is stopped by the key %j", async (key) => {
    const { onStop } = show(fold(status(1, gaps)));
    const user = userEvent.setup();
    await user.tab();
    expect(screen.getByRole("button", { name: "Stop reading src/auth.rs" })).toHaveFocus();
    await user.keyboard(key);
    expect(onStop).toHaveBeenCalledExactlyOnceWith("read-0-1");
  });

  test("can be stopped again where that failed", async () => {
    const { onStop } = show(fold(status(1, gaps)));
    onStop.mockRejectedValueOnce(new Error("the pipe broke"));
    const button = screen.getByRole("button", { name: "Stop reading src/auth.rs" });
    await userEvent.click(button);
    await waitFor(() => expect(button).toHaveTextContent("Stop reading"));
    await userEvent.click(button);
    expect(onStop).toHaveBeenCalledTimes(2);
  });
});

test("a read of some lines goes on without a button: nobody waits for it (RC-18)", () => {
  show(fold(status(1, { intent: "range" })));
  expect(screen.queryByRole("button", { name: /^Stop/ })).toBeNull();
});

test.each(languages)("everything has words in %s", async (language) => {
  const rows = fold(
    status(1, gaps),
    status(2, { ...blocked, readId: "read-0-2", path: "b.rs" }),
    status(3, { ...gaps, readId: "read-0-3", path: "c.rs", state: "needs_more" }),
    status(4, { ...gaps, readId: "read-0-3", path: "c.rs", state: "cancelled", active: false }),
  );
  show(rows, true, language);
  const region = screen.getByRole("region");
  expect(within(region).getAllByRole("listitem")).toHaveLength(3);
  for (const button of within(region).getAllByRole("button")) {
    expect(button).toHaveAccessibleName(/(src\/auth|b|c)\.rs/);
  }
  expect(region.textContent).not.toMatch(/reads\.|\{\{/);
});
