// The details of a turn: every file can be reached, and every state says what it is.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { BackendError } from "../../backend/backend.ts";
import type { TurnFile } from "../../bindings.ts";
import { giveViewport } from "../../components/testViewport.ts";
import type { FileRow, TurnResultView } from "../../state/turnResult.ts";
import { bytes, renderIn } from "../forTests.tsx";
import { ChecksPane } from "./ChecksPane.tsx";
import { DiffPane, type DiffPaneProps } from "./DiffPane.tsx";
import { check, file, view, viewOf } from "./forTests.ts";

beforeEach(() => giveViewport());

const patchOf = (path: string) =>
  bytes(
    `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-old ${path}\n+new ${path}\n`,
  );

const missing = new BackendError({ kind: "missing", message: "gone" });

/** Answers with patches of the path that is asked for. */
function backend(more: Partial<DiffPaneProps["backend"]> = {}): DiffPaneProps["backend"] {
  return {
    patch: (_session, _turn, path) => Promise.resolve(patchOf(path)),
    turnChanges: () => Promise.reject(new Error("not asked for in this test")),
    pictures: () => Promise.reject(missing),
    picture: () => Promise.reject(missing),
    ...more,
  };
}

type PaneProps = { shown: TurnResultView; from?: DiffPaneProps["backend"]; session?: string };

function Pane({ shown, from = backend(), session = "s_1" }: PaneProps) {
  const [path, setPath] = useState<string>();
  return <DiffPane backend={from} session={session} view={shown} path={path} onPath={setPath} />;
}

const settled = () => act(() => new Promise((resolve) => setTimeout(resolve)));

async function show(shown: TurnResultView, from?: DiffPaneProps["backend"]) {
  const page = renderIn(<Pane shown={shown} {...(from && { from })} />);
  await settled();
  return page;
}

test("the first file is shown, and the list leads to the others by keyboard", async () => {
  const user = userEvent.setup();
  await show(viewOf(file("a.rs"), file("b.rs")));
  expect(screen.getByRole("grid", { name: "Diff of a.rs" })).toBeVisible();
  await user.tab();
  await waitFor(() =>
    expect(screen.getByRole("listbox", { name: "Files of this turn" })).toHaveFocus(),
  );
  await user.keyboard("{ArrowDown}");
  await settled();
  expect(screen.getByRole("grid", { name: "Diff of b.rs" })).toBeVisible();
  expect(screen.getByRole("option", { selected: true })).toHaveTextContent("b.rs");
  await waitFor(() => expect(screen.getByRole("listbox")).toHaveFocus());
});

test("a single file needs no list", async () => {
  await show(viewOf(file("a.rs")));
  expect(screen.queryByRole("listbox")).toBeNull();
});

describe("a file of which there is no diff to show (UI-7)", () => {
  const modePatch = bytes("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n");
  const cases: [
    what: string,
    file: Partial<FileRow>,
    patch: () => Promise<Uint8Array>,
    text: string,
  ][] = [
    ["loading", {}, () => new Promise(() => {}), "Loading the diff…"],
    ["cleaned", {}, () => Promise.reject(missing), "Details were cleaned; the summary is kept"],
    ["binary", { count: { is: "binary" } }, () => Promise.reject(missing), "Binary file"],
    [
      "mode only",
      { count: { is: "mode_only" } },
      () => Promise.resolve(modePatch),
      "mode 644 → 755",
    ],
    [
      "over a limit",
      { unavailable: "size_limit" },
      () => Promise.reject(missing),
      "over the size limit",
    ],
    [
      "unavailable for a reason",
      { unavailable: "snapshot_unavailable" },
      () => Promise.reject(missing),
      "The state before the turn is gone or damaged.",
    ],
    ["without a change", {}, () => Promise.resolve(bytes("")), "No net changes"],
    [
      "created empty",
      { kind: "create" },
      () => Promise.resolve(bytes("diff --git a/x b/x\nnew file mode 100644\n")),
      "The file is empty.",
    ],
  ];
  test.each(cases)("%s", async (_, more, patch, text) => {
    const { container } = await show(viewOf(file("x", more)), backend({ patch }));
    expect(container).toHaveTextContent(text);
    expect(screen.queryByRole("grid")).toBeNull();
  });
});

test("what failed says why, and can be tried again", async () => {
  const user = userEvent.setup();
  const patch = vi
    .fn(backend().patch)
    .mockRejectedValueOnce(new BackendError({ kind: "internal", message: "disk I/O error" }));
  await show(viewOf(file("a.rs")), backend({ patch }));
  expect(screen.getByRole("alert")).toHaveTextContent("disk I/O error");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await settled();
  expect(screen.getByRole("grid")).toBeVisible();
});

test("a patch that comes after a switch of the session is not shown (B16, UI-9)", async () => {
  const answers: ((patch: Uint8Array) => void)[] = [];
  const patch = () => new Promise<Uint8Array>((resolve) => answers.push(resolve));
  const from = backend({ patch });
  const shown = viewOf(file("same.rs"));
  const page = renderIn(<Pane shown={shown} from={from} session="s_1" />);
  page.rerender(<Pane shown={{ ...shown, resultId: "6:2" }} from={from} session="s_2" />);
  await act(async () => answers[0]?.(bytes("@@ -1 +1 @@\n-theirs\n+theirs\n")));
  await settled();
  expect(screen.queryByRole("grid")).toBeNull();
  await act(async () => answers[1]?.(bytes("@@ -1 +1 @@\n-ours\n+ours too\n")));
  await settled();
  expect(screen.getByRole("grid")).toHaveTextContent("ours too");
  expect(screen.getByRole("grid")).not.toHaveTextContent("theirs");
});

test("a patch of the same turn number and another result is not shown (B16, UI-9)", async () => {
  const answers: ((patch: Uint8Array) => void)[] = [];
  const patch = () => new Promise<Uint8Array>((resolve) => answers.push(resolve));
  const from = backend({ patch });
  const shown = viewOf(file("same.rs"));
  const page = renderIn(<Pane shown={shown} from={from} />);
  page.rerender(<Pane shown={{ ...shown, resultId: "6:2" }} from={from} />);
  await act(async () => answers[0]?.(bytes("@@ -1 +1 @@\n-older\n+older\n")));
  await settled();
  expect(screen.queryByRole("grid")).toBeNull();
  await act(async () => answers[1]?.(bytes("@@ -1 +1 @@\n-new\n+newer\n")));
  await settled();
  expect(screen.getByRole("grid")).toHaveTextContent("newer");
});

test("files that the event left out are pulled page by page", async () => {
  const all = Array.from({ length: 250 }, (_, index) => `f${index}`);
  const turnChanges = vi.fn((_session: string, _turn: number, after: number) => {
    const files: TurnFile[] = all
      .slice(after, after + 100)
      .map((path) => ({ path, kind: "modify", added: 1, removed: 0 }));
    return Promise.resolve({ files, totalFiles: all.length });
  });
  const shown = viewOf(...all.slice(0, 40).map((path) => file(path)));
  await show({ ...shown, totalFiles: 250 }, backend({ turnChanges }));
  await settled();
  expect(turnChanges.mock.calls.map(([, , after]) => after)).toEqual([40, 140, 240]);
  expect(screen.getAllByRole("option")[0]).toHaveAttribute("aria-setsize", "250");
});

test("a list that cannot be completed says so, and keeps what it has", async () => {
  const shown = { ...viewOf(file("a"), file("b")), totalFiles: 9 };
  await show(shown);
  expect(screen.getByRole("status")).toHaveTextContent("The details could not be loaded");
  expect(screen.getAllByRole("option")).toHaveLength(2);
});

test("a turn without files says what is known of it", async () => {
  const { container } = await show(view({ changes: { is: "unknown", missing: false } }));
  expect(container).toHaveTextContent("Changes unknown");
});

describe("checks", () => {
  const shown = view({
    checks: {
      status: "failed",
      count: 1,
      someStale: false,
      rows: [
        check("cargo test\n--all", {
          state: "failed",
          exitCode: 101,
          result: "r1",
          counts: { passed: 2, failed: 1, skipped: 0 },
          qualifiers: ["masked_exit"],
          cwd: "sub",
        }),
      ],
    },
  });
  const log = (text: string) => ({
    text,
    shownBytes: text.length,
    totalBytes: text.length,
    isCut: false,
  });
  const from = (text: string) => ({ checkLog: vi.fn(() => Promise.resolve(log(text))) });

  test("show the whole command, what weakens it, and unfold what it said", async () => {
    const user = userEvent.setup();
    const backend = from("running\n2 passed; 1 failed\n");
    renderIn(<ChecksPane backend={backend} session="s_1" view={shown} />);
    const list = screen.getByRole("list", { name: "Recorded checks" });
    const item = within(list).getAllByRole("listitem")[0];
    expect(item).toHaveTextContent("cargo test --all");
    expect(item).toHaveTextContent("exit 101 · 4.2 s · masked");
    expect(item).toHaveTextContent("2 passed · 1 failed · 0 skipped");
    expect(item).toHaveTextContent("ran in sub");
    expect(item).toHaveTextContent("The command can end with 0 although the check failed");
    expect(backend.checkLog).not.toHaveBeenCalled();

    await user.click(screen.getByRole("button", { name: "Output" }));
    expect(await screen.findByText("2 passed; 1 failed")).toBeVisible();
    const call = "call of cargo test\n--all";
    expect(backend.checkLog).toHaveBeenCalledExactlyOnceWith("s_1", shown.turn, call, "r1");
  });

  test("whose output is empty say so", async () => {
    const user = userEvent.setup();
    renderIn(<ChecksPane backend={from("")} session="s" view={shown} />);
    await user.click(screen.getByRole("button", { name: "Output" }));
    expect(await screen.findByText("No output")).toBeVisible();
  });

  test("LG-2: whose log is missing or has no name of its own are told unavailable", async () => {
    const user = userEvent.setup();
    const gone = () =>
      Promise.reject(new BackendError({ kind: "missing", message: "the log is unavailable" }));
    const { unmount } = renderIn(
      <ChecksPane backend={{ checkLog: gone }} session="s" view={shown} />,
    );
    await user.click(screen.getByRole("button", { name: "Output" }));
    expect(await screen.findByText("The log is unavailable")).toBeVisible();
    unmount();

    const rows = [check("cargo test")];
    const backend = from("another one");
    const old = view({ checks: { status: "passed", count: 1, someStale: false, rows } });
    renderIn(<ChecksPane backend={backend} session="s" view={old} />);
    await user.click(screen.getByRole("button", { name: "Output" }));
    expect(await screen.findByText("The log is unavailable")).toBeVisible();
    expect(backend.checkLog).not.toHaveBeenCalled();
  });

  test.each([
    ["none", "No recorded check in this turn."],
    ["unknown", "It is not known whether a check ran."],
  ] as const)("of status %s are not shown as passed or not run", (status, text) => {
    const checks = { status, count: 0, someStale: false, rows: [] };
    renderIn(<ChecksPane backend={from("")} session="s" view={view({ checks })} />);
    expect(screen.getByText(text)).toBeVisible();
  });
});
