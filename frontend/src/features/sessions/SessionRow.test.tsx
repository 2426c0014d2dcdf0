// The line of a session says what its last turn changed in the way the card does.

import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderIn } from "../forTests.tsx";
import { SessionRow } from "./SessionRow.tsx";

const summary = {
  session: "s_1",
  title: "Add a note",
  workspace: "/src",
  createdAt: 1,
  changedAt: 1,
  turns: 1,
};

function shown(added: number, removed: number, partial = false, stopped = false): string {
  renderIn(
    <SessionRow
      summary={summary}
      live={undefined}
      seen={undefined}
      result={{
        changes: { is: "counted", files: 1, added, removed, partial },
        checks: { status: "none", count: 0, someStale: false, rows: [] },
        failed: false,
        stopped,
        incompleteRead: false,
        readsStopped: 0,
      }}
      isCurrent={false}
      now={60}
      onOpen={() => {}}
    />,
  );
  return screen.getByRole("button").textContent ?? "";
}

test.each([
  [3, 0, /\+3$/],
  [0, 2, /, 2 lines removed−2$/],
  [1234, 1, /\+1,234−1$/],
  [0, 0, /1 file$/],
])("%i lines that came and %i that went", (added, removed, line) => {
  expect(shown(added, removed)).toMatch(line);
});

test("a line that is cut is read whole, and a stop is said there where the line says partial", () => {
  expect(shown(3, 0, true, true)).toMatch(/\+3.*partial$/);
  const whole = "interrupted · 1 file counted, partial · 3 lines added · 0 lines removed";
  expect(screen.getByTitle(whole)).not.toHaveTextContent("interrupted");
});
