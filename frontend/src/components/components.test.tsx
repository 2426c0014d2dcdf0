// The small parts: what they say, to the eye and to a screen reader, and how keys work them.

import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, test, vi } from "vitest";
import { Button, IconButton } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";
import { Disclosure } from "./Disclosure.tsx";
import { EmptyState } from "./EmptyState.tsx";
import { ChoiceMenu, Menu } from "./Menu.tsx";
import { PathText, splitPath } from "./PathText.tsx";
import { Time } from "./Time.tsx";

test("a button is named by its text, not by its shortcut", () => {
  render(<Button keys="Ctrl O">Open folder</Button>);
  const button = screen.getByRole("button", { name: "Open folder" });
  expect(button).toHaveTextContent("Ctrl O");
  expect(button).toHaveAttribute("type", "button");
});

test("a button of an icon has a name and says it when pointed at", () => {
  render(<IconButton label="Copy">i</IconButton>);
  expect(screen.getByRole("button", { name: "Copy" })).toHaveAttribute("title", "Copy");
});

test("a disclosure makes its detail when it opens, and drops it when it closes", async () => {
  const user = userEvent.setup();
  const detail = vi.fn(() => <p>detail</p>);
  render(<Disclosure summary="Output">{detail}</Disclosure>);
  const button = screen.getByRole("button", { name: "Output", expanded: false });
  expect(detail).not.toHaveBeenCalled();

  await user.tab();
  await user.keyboard("{Enter}");
  expect(button).toHaveAttribute("aria-expanded", "true");
  expect(screen.getByText("detail")).toBeVisible();
  await user.keyboard(" ");
  expect(screen.queryByText("detail")).not.toBeInTheDocument();
});

describe("a path", () => {
  test.each([
    ["src/auth.rs", "src", "/auth.rs"],
    ["README.md", "", "README.md"],
    ["a/b/", "a/b", "/"],
    [
      "x/a_name_that_is_much_longer_than_usual.rs",
      "x/a_name_that_is_much_long",
      "er_than_usual.rs",
    ],
    ["目录/非常非常非常非常非常非常非常非常非常非常长的文件名称说明.md", undefined, undefined],
  ])("%s keeps its end when there is no room", (path, head, tail) => {
    const [before, after] = splitPath(path);
    expect(before + after).toBe(path);
    if (head !== undefined) expect([before, after]).toEqual([head, tail]);
  });

  test("no character is cut in two", () => {
    const [before, after] = splitPath(`${"👩‍👩‍👧".repeat(20)}.md`);
    expect(before + after).not.toMatch(/[\ud800-\udbff]$/);
    expect(after).not.toMatch(/^[\udc00-\udfff]/);
  });

  test("is heard and read whole", () => {
    render(
      <button type="button">
        <PathText path="packages/server/src/session.rs" />
      </button>,
    );
    expect(screen.getByRole("button", { name: "packages/server/src/session.rs" })).toBeVisible();
    expect(screen.getByTitle("packages/server/src/session.rs")).toBeVisible();
  });
});

test("a moment is there for machines, and whole for whoever points at it", () => {
  render(
    <Time at={1_700_000_000} title="14 Nov 2023, 22:13">
      22:13
    </Time>,
  );
  const time = screen.getByText("22:13");
  expect(time).toHaveAttribute("datetime", "2023-11-14T22:13:20.000Z");
  expect(time).toHaveAttribute("title", "14 Nov 2023, 22:13");
});

test("what is loading is announced as a status, what failed at once", () => {
  const { rerender } = render(<EmptyState title="Loading" role="status" />);
  expect(screen.getByRole("status")).toHaveTextContent("Loading");
  rerender(
    <EmptyState title="It failed" role="alert" actions={<Button>Try again</Button>}>
      disk full
    </EmptyState>,
  );
  expect(screen.getByRole("alert")).toHaveTextContent("It faileddisk full");
  expect(within(screen.getByRole("alert")).queryByRole("button")).toBeNull();
});

describe("a menu", () => {
  test("of things to do is opened, walked and left by keys", async () => {
    const user = userEvent.setup();
    const rename = vi.fn();
    render(
      <Menu
        label="Session"
        trigger={<Button>More</Button>}
        actions={[
          { id: "open", text: "Open", onChoose: vi.fn() },
          { id: "rename", text: "Rename", hint: "F2", onChoose: rename },
        ]}
      />,
    );
    await user.tab();
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("menu", { name: "Session" })).toBeVisible();
    await user.keyboard("{ArrowDown}{Enter}");
    expect(rename).toHaveBeenCalledOnce();
    expect(screen.queryByRole("menu")).not.toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole("button", { name: "More" })).toHaveFocus());
  });

  test("of values says which one is chosen", async () => {
    const user = userEvent.setup();
    const onValue = vi.fn();
    render(
      <ChoiceMenu
        label="Theme"
        trigger={<Button>Light</Button>}
        value="light"
        onValue={onValue}
        options={[
          { value: "light", text: "Light" },
          { value: "dark", text: "Dark" },
        ]}
      />,
    );
    await user.click(screen.getByRole("button", { name: "Light" }));
    expect(await screen.findByRole("menuitemradio", { name: "Light" })).toBeChecked();
    await user.click(screen.getByRole("menuitemradio", { name: "Dark" }));
    expect(onValue).toHaveBeenCalledWith("dark");
  });
});

test("a dialog takes the focus, ends with Escape, and gives the focus back", async () => {
  const user = userEvent.setup();
  render(<Asking />);
  await user.click(screen.getByRole("button", { name: "Settings…" }));
  const dialog = await screen.findByRole("dialog", { name: "Settings" });
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  await waitFor(() => expect(screen.getByRole("button", { name: "Settings…" })).toHaveFocus());
});

test("a dialog without a title bar has its name all the same", async () => {
  render(
    <Dialog open onOpenChange={() => {}} title="Commands">
      <Button>Save</Button>
    </Dialog>,
  );
  expect(await screen.findByRole("dialog", { name: "Commands" })).toBeVisible();
});

function Asking() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Settings…</Button>
      <Dialog open={open} onOpenChange={setOpen} title="Settings" closeLabel="Close">
        <Button>Save</Button>
      </Dialog>
    </>
  );
}
