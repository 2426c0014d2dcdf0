// A diff by its rows: told by sign, word and role, and walked by keys.

import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { giveViewport } from "../../components/testViewport.ts";
import { bytes, renderIn } from "../forTests.tsx";
import { DiffViewer } from "./DiffViewer.tsx";

beforeEach(() => giveViewport());

const small = `diff --git a/a.rs b/a.rs
--- a/a.rs
+++ b/a.rs
@@ -118,3 +118,3 @@ impl Session
 same
-let name = validate_token(t);
+let name = verify_token(t);
 end
@@ -200 +200,2 @@
 last
+more
\\ No newline at end of file
`;

async function show(patch: string) {
  const page = renderIn(<DiffViewer patch={bytes(patch)} path="a.rs" />);
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  return page;
}

/** By its id, as a screen reader finds it: to ask for its role among many rows takes long. */
function activeRow(): HTMLElement {
  const id = document.querySelector("[role=grid]")?.getAttribute("aria-activedescendant");
  const row = document.getElementById(id ?? "");
  if (row === null) throw new Error("no row is active");
  return row;
}

test("each row has both numbers, a sign, a word for it, and its text", async () => {
  await show(small);
  const rows = within(screen.getByRole("grid", { name: "Diff of a.rs" })).getAllByRole("row");
  const cells = rows.map((row) =>
    within(row)
      .getAllByRole("gridcell")
      .map((it) => it.textContent),
  );
  expect(cells.slice(1, 5)).toEqual([
    ["118", "118", "", "same"],
    ["119", "", "removed−", "let name = validate_token(t);"],
    ["", "119", "added+", "let name = verify_token(t);"],
    ["120", "120", "", "end"],
  ]);
  expect(cells[7]).toEqual(["", "201", "added+", "more No newline at the end of the file"]);
});

test("side by side a line stands beside the one that takes its place, and the keys go on from it", async () => {
  const user = userEvent.setup();
  renderIn(<DiffViewer patch={bytes(small)} path="a.rs" isSplit onSplit={() => {}} />);
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  const cells = (row: HTMLElement) =>
    within(row)
      .getAllByRole("gridcell")
      .map((it) => it.textContent);
  expect(screen.getAllByRole("row").map(cells)[2]).toEqual([
    "119",
    "removed−",
    "let name = validate_token(t);",
    "119",
    "added+",
    "let name = verify_token(t);",
  ]);
  screen.getByRole("grid").focus();
  await user.keyboard("jjj");
  expect(activeRow()).toHaveTextContent("end");
  await user.keyboard("n");
  expect(activeRow()).toHaveTextContent("@@ -200 +200,2 @@");
  expect(screen.getByRole("button", { name: "Side by side" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
});

test("a file that is shown decoded says what it is (EN-1)", async () => {
  await show(small.replace("--- a/a.rs", "encoding: utf-16le\n--- a/a.rs"));
  expect(screen.getByText(/The file is utf-16le/)).toBeVisible();
});

test("what was added and removed has its role, and what differs in a line is marked", async () => {
  await show(small);
  const removed = screen.getByRole("deletion");
  expect(removed).toHaveTextContent("let name = validate_token(t);");
  expect(within(removed).getByText("validate").closest("mark")).not.toBeNull();
  const [added, more] = screen.getAllByRole("insertion");
  expect(added).toHaveTextContent("let name = verify_token(t);");
  expect(added?.querySelectorAll("mark")).toHaveLength(1);
  expect(more?.querySelectorAll("mark")).toHaveLength(0);
});

test("the line above a hunk says where it is and what is left out", async () => {
  await show(small);
  const rows = screen.getAllByRole("row");
  expect(rows[0]).toHaveTextContent(
    "Section from line 118@@ -118,3 +118,3 @@ impl Session 117 unchanged lines",
  );
  expect(rows[5]).toHaveTextContent("79 unchanged lines");
});

test("j, k and the arrows go from row to row; n and p from hunk to hunk", async () => {
  const user = userEvent.setup();
  await show(small);
  act(() => screen.getByRole("grid").focus());
  const at = async (keys: string) => {
    await user.keyboard(keys);
    return Number(activeRow().getAttribute("aria-rowindex"));
  };
  expect(await at("j")).toBe(2);
  expect(await at("{ArrowDown}")).toBe(3);
  expect(await at("k")).toBe(2);
  expect(await at("p")).toBe(1);
  expect(await at("p")).toBe(1);
  expect(await at("n")).toBe(6);
  expect(await at("n")).toBe(6);
  expect(await at("jj")).toBe(8);
  expect(await at("j")).toBe(8);
  expect(await at("p")).toBe(6);
  expect(await at("{Home}k")).toBe(1);
});

test("the buttons go from hunk to hunk too", async () => {
  const user = userEvent.setup();
  await show(small);
  await user.click(screen.getByRole("button", { name: "Next section" }));
  expect(activeRow()).toHaveAttribute("aria-rowindex", "6");
  await user.click(screen.getByRole("button", { name: "Previous section" }));
  expect(activeRow()).toHaveAttribute("aria-rowindex", "1");
});

test("Ctrl+C copies the row, and the button the whole patch", async () => {
  const user = userEvent.setup();
  await show(small);
  act(() => screen.getByRole("grid").focus());
  await user.keyboard("jj{Control>}c{/Control}");
  expect(await navigator.clipboard.readText()).toBe("let name = validate_token(t);");
  await user.click(screen.getByRole("button", { name: "Copy the diff" }));
  expect(await navigator.clipboard.readText()).toBe(small);
});

test("long lines wrap until told otherwise", async () => {
  const user = userEvent.setup();
  await show(small);
  const button = screen.getByRole("button", { name: "Wrap long lines", pressed: true });
  await user.click(button);
  expect(button).toHaveAttribute("aria-pressed", "false");
});

test("of an endless line the start is shown, and how much there is more", async () => {
  await show(`@@ -0,0 +1 @@\n+${"x".repeat(500_000)}\n`);
  expect(screen.getByRole("insertion").textContent).toHaveLength(2_000);
  expect(screen.getByRole("grid")).toHaveTextContent("… 498,000 more characters");
});

test("what ends the lines is shown where they end in several ways", async () => {
  await show("@@ -1 +1 @@\n-a\r\n+a\n");
  const rows = screen.getAllByRole("row");
  expect(rows[1]).toHaveTextContent("ends with CR LF");
  expect(rows[2]).not.toHaveTextContent("CR LF");
});

test("permission bits that changed with the lines stand above them", async () => {
  const { container } = await show(
    "diff --git a/a b/a\nold mode 100644\nnew mode 100755\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n",
  );
  expect(container).toHaveTextContent("mode 644 → 755");
});

test("a damaged patch says so and shows what it has", async () => {
  const { container } = await show("@@ -1,5 +1,5 @@\n a\n-b\n");
  expect(container).toHaveTextContent("The stored diff is damaged.");
  expect(screen.getByRole("deletion")).toHaveTextContent("b");
});

test("of a huge patch only the rows in view exist, and its end is one key away", async () => {
  const user = userEvent.setup();
  const lines = Array.from({ length: 10_000 }, (_, index) => `+line ${index}`).join("\n");
  await show(`@@ -0,0 +1,10000 @@\n${lines}\n`);
  const grid = screen.getByRole("grid");
  expect(grid).toHaveAttribute("aria-rowcount", "10001");
  expect(grid.querySelectorAll("[role=row]").length).toBeLessThan(100);
  act(() => grid.focus());
  await user.keyboard("{End}");
  expect(activeRow()).toHaveTextContent("line 9999");
});
