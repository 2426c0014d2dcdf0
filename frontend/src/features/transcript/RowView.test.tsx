// A background job is one line that says in words how it stands, in every language.

import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import type { JobState } from "../../bindings.ts";
import { createTexts, I18nextProvider, type Language } from "../../locale/index.ts";
import type { JobItem } from "../../state/session.ts";
import { RowView } from "./RowView.tsx";

const nothing = () => new Promise<never>(() => {});

function shown(language: Language, state: JobState, exitCode?: number): string {
  const title = { text: "npm run dev\u202e", totalBytes: 14 };
  const job: JobItem = { is: "job", job: "job3", title, state, exitCode };
  const { container } = render(
    <I18nextProvider i18n={createTexts(language)}>
      <RowView
        row={{ is: "job", key: "0/j/job3", turn: 0, job }}
        turn={undefined}
        isOpen={false}
        onToggle={() => {}}
        renderCard={() => null}
        loadDetail={nothing}
        wholes={{ known: () => undefined, load: nothing }}
        onAction={() => {}}
      />
    </I18nextProvider>,
  );
  return container.textContent ?? "";
}

test.each(["en", "zh", "zh-TW"] as const)(
  "each state of a job has words of its own in %s",
  (language) => {
    const states = ["running", "ended", "stopped", "unknown"] as const;
    const lines = states.map((state) => shown(language, state));
    expect(new Set(lines).size).toBe(states.length);
    for (const line of lines) {
      expect(line).toContain("job3");
      expect(line).not.toContain("\u202e");
    }
  },
);

test("the exit code of a job that ended by itself stands beside it", () => {
  expect(shown("en", "ended", 1)).toMatch(/^Background job job3 has ended \(exit 1\): npm run dev/);
});
