// A call is one line; it opens to what is known of it, and never to an older answer.

import { act, render, screen, within } from "@testing-library/react";
import { beforeAll, expect, test } from "vitest";
import type { ToolDetail } from "../../bindings.ts";
import { giveViewport } from "../../components/testViewport.ts";
import { createTexts, I18nextProvider } from "../../locale/index.ts";
import type { ToolItem } from "../../state/session.ts";
import { ToolRow } from "./ToolRow.tsx";

beforeAll(() => giveViewport());

const tool: ToolItem = {
  is: "tool",
  call: "c1",
  tool: "bash",
  title: { text: "make\u202e", totalBytes: 7 },
  status: "running",
  output: undefined,
  exitCode: undefined,
  durationMs: undefined,
  failure: undefined,
  refusal: undefined,
  startedAt: 1,
};

const row = (item: ToolItem, load: () => Promise<ToolDetail>, isOpen = true) => (
  <I18nextProvider i18n={createTexts("en")}>
    <ToolRow tool={item} isOpen={isOpen} onToggle={() => {}} load={load} />
  </I18nextProvider>
);

const detail = (output: string): ToolDetail => ({
  call: "c1",
  tool: "bash",
  arguments: '{"command":"make"}',
  output,
});

test("UI-9: an answer from before the call ended does not replace the one from after it", async () => {
  const answers: ((it: ToolDetail) => void)[] = [];
  const load = () => new Promise<ToolDetail>((resolve) => answers.push(resolve));
  const { rerender } = render(row(tool, load));
  rerender(row({ ...tool, status: "completed", exitCode: 0 }, load));
  await act(async () => answers[1]?.(detail("whole output")));
  await act(async () => answers[0]?.(detail("half output")));
  expect(screen.getByText("whole output")).toBeVisible();
  expect(screen.queryByText("half output")).toBeNull();
});

test("a write is shown as the lines that it is about, and its other arguments by their names", async () => {
  const args = { path: "a.rs", old_string: "one\n", new_string: "two\n", replace_all: true };
  const written = { ...detail(""), tool: "edit_file", arguments: JSON.stringify(args) };
  const { container } = render(row({ ...tool, tool: "edit_file" }, async () => written));
  const grid = await screen.findByRole("grid", { name: "Lines of the call" });
  const rows = within(grid).getAllByRole("row");
  expect(rows.map((it) => it.textContent)).toEqual(["removed−one", "added+two"]);
  expect(container).toHaveTextContent("path a.rs");
  expect(container).toHaveTextContent("replace_all true");
});

test("details that cannot be loaded say so, and what came with the event stays", async () => {
  const fails = () => Promise.reject(new Error("gone"));
  const output = { text: "told to the model", totalBytes: 17 };
  render(row({ ...tool, status: "completed", output }, fails));
  expect(await screen.findByText("The details could not be loaded")).toBeVisible();
  expect(screen.getByText("told to the model")).toBeVisible();
});

test.each([
  [{ status: "running" }, "Running makeU+202E running"],
  [{ status: "running", check: "test" }, "Running makeU+202E Checking…"],
  [{ status: "completed", exitCode: 0, durationMs: 4200 }, "Ran makeU+202E exit 0 · 4.2 s"],
  [{ status: "failed", exitCode: 3, durationMs: 10 }, "Ran makeU+202E exit 3 · 10 ms"],
  [{ status: "rejected" }, "Run makeU+202E denied"],
  [{ status: "cancelled" }, "Run makeU+202E did not start"],
  [{ status: "failed" }, "Run makeU+202E failed"],
  [{ status: "interrupted" }, "Run makeU+202E stopped; it may have left traces"],
  [{ status: "unknown" }, "Run makeU+202E outcome unknown"],
] as const)("%j reads as %s", (standing, name) => {
  render(row({ ...tool, ...standing }, () => Promise.reject(new Error()), false));
  const line = screen.getByRole("button");
  expect(line).toHaveTextContent(name);
  expect(line).toHaveAttribute("aria-expanded", "false");
});
