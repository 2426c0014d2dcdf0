// What a model writes is shown, and does nothing.

import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { createTexts, I18nextProvider } from "../../locale/index.ts";
import { Markdown } from "./Markdown.tsx";
import { isPage, OnLink } from "./onLink.ts";

const show = (text: string, isLive = false, onLink = vi.fn()) =>
  render(
    <I18nextProvider i18n={createTexts("en")}>
      <OnLink value={onLink}>
        <Markdown text={text} isLive={isLive} />
      </OnLink>
    </I18nextProvider>,
  );

test("nothing in it runs, loads or leads away by itself", async () => {
  const onLink = vi.fn();
  const { container } = show(
    [
      '<img src="https://example.com/x.png" onerror="alert(1)"> and ![a chart](https://example.com/y.png)',
      "[here](https://example.com/a) [there](javascript:alert(1))",
      "<script>alert(1)</script><iframe src='https://example.com'></iframe>",
    ].join("\n\n"),
    false,
    onLink,
  );
  expect(container.querySelector("img, script, iframe, [onerror]")).toBeNull();
  expect(screen.getByText("Picture: a chart")).toBeVisible();
  const user = userEvent.setup();
  expect(screen.getAllByRole("link").map((it) => it.getAttribute("href"))).toEqual([
    "https://example.com/a",
  ]);
  expect(onLink).not.toHaveBeenCalled();
  await user.click(screen.getByRole("link", { name: "here" }));
  expect(onLink.mock.calls).toEqual([["https://example.com/a"]]);
});

test("a heading of an answer stands below the turn's", () => {
  show("# Summary\n\n## Why");
  expect(screen.getByRole("heading", { level: 4, name: "Summary" })).toBeVisible();
  expect(screen.getByRole("heading", { level: 5, name: "Why" })).toBeVisible();
});

test("a fence that is still open is code already, and is named by its language", () => {
  show("```rust\nfn main() {", true);
  const code = screen.getByRole("region", { name: "Code, rust" });
  expect(code).toHaveTextContent("fn main() {");
});

test("an address that is no page of the web is copied, and opens nothing", async () => {
  const onLink = vi.fn();
  show("[write](mailto:you@example.com)", false, onLink);
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "write" }));
  expect(await navigator.clipboard.readText()).toBe("mailto:you@example.com");
  expect(onLink).not.toHaveBeenCalled();
  expect(["https://a.b", "http://a.b"].every(isPage)).toBe(true);
  expect(["file:///etc", "mailto:a@b", "/etc", ""].some(isPage)).toBe(false);
});
