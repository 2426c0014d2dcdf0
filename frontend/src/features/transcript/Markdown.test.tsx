// What a model writes is shown, and does nothing.

import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { createTexts, I18nextProvider } from "../../locale/index.ts";
import { Markdown } from "./Markdown.tsx";

const show = (text: string, isLive = false) =>
  render(
    <I18nextProvider i18n={createTexts("en")}>
      <Markdown text={text} isLive={isLive} />
    </I18nextProvider>,
  );

test("nothing in it runs, loads or leads away", async () => {
  const { container } = show(
    [
      '<img src="https://example.com/x.png" onerror="alert(1)"> and ![a chart](https://example.com/y.png)',
      "[here](https://example.com/a) [there](javascript:alert(1))",
      "<script>alert(1)</script><iframe src='https://example.com'></iframe>",
    ].join("\n\n"),
  );
  expect(container.querySelector("img, script, iframe, a, [onerror]")).toBeNull();
  expect(screen.getByText("Picture: a chart")).toBeVisible();
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "here" }));
  expect(await navigator.clipboard.readText()).toBe("https://example.com/a");
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
