// The whole of an answer is there without being asked for, and stays there.

import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { BackendError, type MessageBody } from "../../backend/backend.ts";
import { createTexts, I18nextProvider } from "../../locale/index.ts";
import { MessageRow } from "./MessageRow.tsx";
import { type WholeTexts, wholeTexts } from "./wholeText.ts";

/** A host that is answered for by hand. */
function host() {
  const asked: string[] = [];
  const answers: { resolve: (it: MessageBody) => void; reject: (error: unknown) => void }[] = [];
  const wholes = wholeTexts(
    (message) =>
      new Promise((resolve, reject) => {
        asked.push(message);
        answers.push({ resolve, reject });
      }),
  );
  return { asked, answers, wholes };
}

function row(wholes: WholeTexts, message = "m1", isOpen = false) {
  return (
    <I18nextProvider i18n={createTexts("en")}>
      <MessageRow
        message={message}
        text={{ text: `The start of ${message}`, totalBytes: 20_000 }}
        reasoning={undefined}
        notice={undefined}
        isLive={false}
        isOpen={isOpen}
        onToggle={() => {}}
        wholes={wholes}
      />
    </I18nextProvider>
  );
}

const body = (text: string): MessageBody => ({ text, reasoning: null });

test("a cut answer is asked for by itself, once, and is there when it comes into view again", async () => {
  const { asked, answers, wholes } = host();
  const { unmount } = render(row(wholes));
  expect(screen.getByRole("status")).toHaveTextContent("The first 15 B of 20 kB · Loading…");
  expect(screen.queryByRole("button")).toBeNull();
  await act(async () => answers[0]?.resolve(body("All of it")));
  expect(screen.getByText("All of it")).toBeVisible();
  expect(screen.queryByRole("status")).toBeNull();
  unmount();
  render(row(wholes));
  expect(screen.getByText("All of it")).toBeVisible();
  expect(asked).toEqual(["m1"]);
});

test("an answer for another message is never shown (UI-9)", async () => {
  const { answers, wholes } = host();
  const { rerender } = render(row(wholes));
  rerender(row(wholes, "m2"));
  await act(async () => answers[0]?.resolve(body("All of the first")));
  expect(screen.getByText("The start of m2")).toBeVisible();
  expect(screen.queryByText("All of the first")).toBeNull();
});

test("what could not be loaded keeps its start, and is asked for again only where that can help", async () => {
  const { asked, answers, wholes } = host();
  const { rerender } = render(row(wholes));
  await act(async () => answers[0]?.reject(new Error("busy")));
  expect(screen.getByText("The start of m1")).toBeVisible();
  expect(screen.getByRole("status")).toHaveTextContent("Unavailable");
  await userEvent.click(screen.getByRole("button", { name: "Show the whole text" }));
  expect(asked).toEqual(["m1", "m1"]);
  rerender(row(wholes, "gone"));
  const gone = new BackendError({ kind: "missing", message: "there is no such message" });
  await act(async () => answers[2]?.reject(gone));
  expect(screen.getByRole("status")).toHaveTextContent("Unavailable");
  expect(screen.queryByRole("button")).toBeNull();
});

test("no more wholes are kept than a reader may come back to", async () => {
  const wholes = wholeTexts(async (message) => body(message));
  for (let at = 0; at < 60; at += 1) await wholes.load(`m${at}`);
  expect([wholes.known("m9"), wholes.known("m10")?.text]).toEqual([undefined, "m10"]);
});
