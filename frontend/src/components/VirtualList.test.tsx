// A long list is one stop of the Tab key, and its keys move the active row.

import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, expect, test } from "vitest";
import { giveViewport } from "./testViewport.ts";
import { VirtualList } from "./VirtualList.tsx";

beforeEach(() => giveViewport());

const thousand = Array.from({ length: 1000 }, (_, index) => `row ${index}`);

function List({ items = thousand, role = "listbox" as const }) {
  const [active, setActive] = useState(0);
  return (
    <VirtualList
      items={items}
      role={role}
      label="Rows"
      active={active}
      onActive={setActive}
      rowHeightPx={20}
      row={(item) => item}
    />
  );
}

const activeRow = () => screen.getByRole("option", { selected: true });
const settled = () => act(() => new Promise((resolve) => setTimeout(resolve)));

test("only the rows in view exist, and each says its place", async () => {
  render(<List />);
  await settled();
  const rows = screen.getAllByRole("option");
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.length).toBeLessThan(100);
  expect(rows[3]).toHaveAttribute("aria-posinset", "4");
  expect(rows[3]).toHaveAttribute("aria-setsize", "1000");
});

test("arrows, pages and ends move the active row, and stop at both ends", async () => {
  const user = userEvent.setup();
  render(<List />);
  await settled();
  await user.tab();
  const list = screen.getByRole("listbox", { name: "Rows" });
  await waitFor(() => expect(list).toHaveFocus());

  await user.keyboard("{ArrowUp}");
  expect(activeRow()).toHaveTextContent("row 0");
  await user.keyboard("{ArrowDown}{ArrowDown}");
  expect(activeRow()).toHaveTextContent("row 2");
  expect(list).toHaveAttribute("aria-activedescendant", activeRow().id);
  await user.keyboard("{PageDown}");
  expect(activeRow()).toHaveTextContent("row 31");
  await user.keyboard("{End}{ArrowDown}");
  expect(activeRow()).toHaveTextContent("row 999");
  await user.keyboard("{Home}");
  expect(activeRow()).toHaveTextContent("row 0");
});

test("a row that is clicked is the active one", async () => {
  const user = userEvent.setup();
  render(<List />);
  await settled();
  await user.click(screen.getByText("row 5"));
  expect(activeRow()).toHaveTextContent("row 5");
});

test("an empty list takes the focus and does nothing", async () => {
  const user = userEvent.setup();
  render(<List items={[]} />);
  await user.tab();
  await user.keyboard("{ArrowDown}{End}{PageUp}");
  expect(screen.getByRole("listbox")).not.toHaveAttribute("aria-activedescendant");
});
