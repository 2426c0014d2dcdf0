// A question for a write shows the write, so that a person can decide.

import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, test, vi } from "vitest";
import type { ToolDetail } from "../../bindings.ts";
import { giveViewport } from "../../components/testViewport.ts";
import { type Language, languages } from "../../locale/index.ts";
import { renderIn } from "../forTests.tsx";
import { ApprovalCard } from "./ApprovalCard.tsx";

beforeAll(() => giveViewport());

const detail = (tool: string, args: object): ToolDetail => ({
  call: "c1",
  tool,
  arguments: JSON.stringify(args),
  output: null,
});

function ask(tool: string, load: () => Promise<ToolDetail>, language: Language = "en") {
  const onAnswer = vi.fn(async () => {});
  const loadDetail = vi.fn(load);
  const path = ".evident/config.toml";
  renderIn(
    <ApprovalCard
      asking={{
        permission: "p1",
        call: "c1",
        tool,
        subject: { text: path, totalBytes: path.length },
        reason: "guarded",
      }}
      preset="workspace-write"
      folder="/src"
      onAnswer={onAnswer}
      loadDetail={loadDetail}
    />,
    language,
  );
  return { onAnswer, loadDetail };
}

test("an edit shows its path, and the passage before and after it", async () => {
  const args = { path: "x", old_string: "checks = []\n", new_string: 'checks = ["make"]\n' };
  const { onAnswer } = ask("edit_file", async () => detail("edit_file", args));
  expect(screen.getByText(".evident/config.toml")).toBeVisible();
  const grid = await screen.findByRole("grid", { name: "The passage before and after" });
  const rows = within(grid).getAllByRole("row");
  expect(rows.map((it) => it.textContent)).toEqual([
    "removed−checks = []",
    'added+checks = ["make"]',
  ]);
  await userEvent.keyboard("1");
  expect(onAnswer).toHaveBeenCalledWith("allow_once");
});

test("the first answer has the focus and a mark that shows it, and the preset has its words", () => {
  ask("bash", () => new Promise(() => {}));
  const first = screen.getByRole("button", { name: "Allow once" });
  expect(first).toHaveFocus();
  expect(first).toHaveAttribute("data-first-focus");
  expect(screen.getByText("Ask before commands")).toBeVisible();
});

test("AX-2: what is asked about is a stop of the Tab key, and named by the question", async () => {
  ask("bash", () => new Promise(() => {}));
  await userEvent.tab({ shift: true });
  expect(screen.getByRole("group", { name: "Run this command?" })).toHaveFocus();
});

test("a new file shows its text, and an empty one says so", async () => {
  ask("write_file", async () => detail("write_file", { path: "x", content: "one\ntwo" }));
  const grid = await screen.findByRole("grid", { name: "The text it would have" });
  expect(within(grid).getAllByRole("row")).toHaveLength(2);
  ask("write_file", async () => detail("write_file", { path: "x", content: "" }));
  expect(await screen.findByText("The file would be empty.")).toBeVisible();
});

test("what could not be loaded is said, and can be asked for again", async () => {
  const args = { path: "x", content: "one" };
  let isDown = true;
  const { loadDetail } = ask("write_file", async () => {
    if (isDown) throw new Error("busy");
    return detail("write_file", args);
  });
  expect(await screen.findByText(/could not be loaded/)).toBeVisible();
  isDown = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("grid")).toBeVisible();
  expect(loadDetail).toHaveBeenCalledTimes(2);
});

test("a command that came whole is not asked for", async () => {
  const { loadDetail } = ask("bash", async () => detail("bash", {}));
  await act(async () => {});
  expect(loadDetail).not.toHaveBeenCalled();
});

test.each(languages)("that a passage is replaced everywhere is said in %s", async (language) => {
  const args = { path: "x", old_string: "a", new_string: "b", replace_all: true };
  ask("edit_file", async () => detail("edit_file", args), language);
  await screen.findByRole("grid");
  const said = { en: /wherever it stands/, zh: /每一处/, "zh-TW": /每一處/ }[language];
  expect(screen.getByText(said)).toBeVisible();
});
