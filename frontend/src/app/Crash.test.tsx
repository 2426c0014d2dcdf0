// A page that cannot be drawn says so, and is never blank.

import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderIn } from "../features/forTests.tsx";
import { Crash } from "./Crash.tsx";

function Torn(): never {
  throw new Error("no such turn");
}

test("AX-3: what cannot be drawn is told, with a way back", () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  renderIn(
    <Crash>
      <Torn />
    </Crash>,
  );
  expect(screen.getByRole("alert")).toHaveTextContent("Something went wrong in Evident.");
  expect(screen.getByRole("alert")).toHaveTextContent("no such turn");
  expect(screen.getByRole("button", { name: "Load again" })).toBeVisible();
  said.mockRestore();
});

test("what can be drawn is", () => {
  renderIn(<Crash>here</Crash>);
  expect(screen.getByText("here")).toBeVisible();
});
