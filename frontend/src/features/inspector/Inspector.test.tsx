// The panel at the right: its tabs and its width, by keyboard.

import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useRef, useState } from "react";
import { I18nextProvider } from "react-i18next";
import { beforeEach, expect, test, vi } from "vitest";
import { createTexts } from "../../locale/index.ts";
import { Inspector, type InspectorTab } from "./Inspector.tsx";
import { clampWidth } from "./width.ts";

const texts = createTexts("en");
const onClose = vi.fn();

beforeEach(() => onClose.mockClear());

function Panel({ isOpen = true }: { isOpen?: boolean }) {
  const after = useRef<HTMLInputElement>(null);
  const [tab, setTab] = useState<InspectorTab>("diff");
  const [widthPx, setWidthPx] = useState(500);
  return (
    <I18nextProvider i18n={texts}>
      <input ref={after} tabIndex={-1} />
      {isOpen && (
        <Inspector
          tab={tab}
          onTab={setTab}
          onClose={onClose}
          after={after}
          widthPx={widthPx}
          onWidth={setWidthPx}
          label={7}
          diff={<p>the diff</p>}
          checks={<p>the checks</p>}
        />
      )}
    </I18nextProvider>
  );
}

test("it is named by its turn, and shows one pane", () => {
  render(<Panel />);
  const panel = screen.getByRole("complementary", { name: "Details of turn 7" });
  expect(panel).toHaveTextContent("the diff");
  expect(panel).not.toHaveTextContent("the checks");
  expect(screen.getByRole("tab", { name: "Diff" })).toHaveAttribute("aria-selected", "true");
});

test("AX-3: the focus that it has goes on when it goes, and one elsewhere stays", () => {
  const { rerender } = render(<Panel />);
  screen.getByRole("tab", { name: "Diff" }).focus();
  rerender(<Panel isOpen={false} />);
  expect(screen.getByRole("textbox")).toHaveFocus();
  rerender(<Panel />);
  act(() => screen.getByRole("textbox").blur());
  rerender(<Panel isOpen={false} />);
  expect(document.body).toHaveFocus();
});

test("the arrow keys go from tab to tab", async () => {
  const user = userEvent.setup();
  render(<Panel />);
  await user.click(screen.getByRole("tab", { name: "Diff" }));
  await user.keyboard("{ArrowRight}");
  await waitFor(() => expect(screen.getByRole("tab", { name: "Checks" })).toHaveFocus());
  expect(screen.getByRole("tabpanel", { name: "Checks" })).toHaveTextContent("the checks");
  await user.keyboard("{ArrowRight}");
  expect(screen.getByRole("tabpanel", { name: "Diff" })).toHaveTextContent("the diff");
});

test("it can be closed", async () => {
  const user = userEvent.setup();
  render(<Panel />);
  await user.click(screen.getByRole("button", { name: "Hide details" }));
  expect(onClose).toHaveBeenCalledOnce();
});

test("its edge is moved with the arrow keys, and stops at both bounds (UI-31)", async () => {
  const user = userEvent.setup();
  render(<Panel />);
  const edge = screen.getByRole("separator", { name: "Width of the details" });
  const panel = screen.getByRole("complementary");
  await user.tab();
  await waitFor(() => expect(edge).toHaveFocus());
  await user.keyboard("{ArrowLeft}");
  expect(edge).toHaveAttribute("aria-valuenow", "520");
  expect(panel).toHaveStyle({ width: "520px" });
  await user.keyboard("{ArrowRight}{ArrowRight}");
  expect(edge).toHaveAttribute("aria-valuenow", "480");
  await user.keyboard("{Home}{ArrowRight}");
  expect(edge).toHaveAttribute("aria-valuenow", "280");
  await user.keyboard("{End}{ArrowLeft}");
  expect(edge).toHaveAttribute("aria-valuenow", "640");
});

test("its edge is dragged", () => {
  render(<Panel />);
  const edge = screen.getByRole("separator");
  edge.setPointerCapture = vi.fn();
  fireEvent.pointerMove(edge, { clientX: 100 });
  expect(edge).toHaveAttribute("aria-valuenow", "500");
  fireEvent.pointerDown(edge, { button: 0, clientX: 300, pointerId: 1 });
  fireEvent.pointerMove(edge, { clientX: 250 });
  expect(edge).toHaveAttribute("aria-valuenow", "550");
  fireEvent.pointerUp(edge);
  fireEvent.pointerMove(edge, { clientX: 100 });
  expect(edge).toHaveAttribute("aria-valuenow", "550");
});

test("a width is a whole number between the bounds", () => {
  expect([10, 333.4, 9999].map(clampWidth)).toEqual([280, 333, 640]);
});
