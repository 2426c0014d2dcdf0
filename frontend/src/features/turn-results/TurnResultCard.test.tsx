// The card says what the host saw, and never makes an unknown look like nothing.

import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import type { GapReason } from "../../bindings.ts";
import { type Language, languages } from "../../locale/index.ts";
import type { ChangesView, TurnResultView } from "../../state/turnResult.ts";
import { renderIn } from "../forTests.tsx";
import { check, file, view, viewOf } from "./forTests.ts";
import { TurnResultCard } from "./TurnResultCard.tsx";

function show(shown: TurnResultView, language: Language = "en") {
  const onOpenDiff = vi.fn();
  const onOpenChecks = vi.fn();
  const page = renderIn(
    <TurnResultCard view={shown} onOpenDiff={onOpenDiff} onOpenChecks={onOpenChecks} />,
    language,
  );
  return { ...page, onOpenDiff, onOpenChecks, card: screen.getByRole("region") };
}

describe("the change text (UI-4, UI-5)", () => {
  const counted = { is: "counted", files: 4, added: 42, removed: 12 } as const;
  const cases: [ChangesView, string][] = [
    [{ is: "unknown", missing: false }, "Changes unknown"],
    [{ is: "unknown", missing: true }, "Change statistics unavailable"],
    [{ is: "none" }, "No net changes"],
    [{ is: "incomplete" }, "Incomplete"],
    [{ ...counted, partial: false }, "4 files changed"],
    [{ ...counted, partial: true }, "4 files counted"],
  ];
  test.each(cases)("of %j is %s", (changes, text) => {
    const { card } = show(view({ changes }));
    expect(card).toHaveTextContent(text);
    expect(within(card).queryByText("partial") !== null).toBe(
      changes.is === "incomplete" || (changes.is === "counted" && changes.partial),
    );
  });

  test("of an unknown result holds no number at all", () => {
    const checks = { status: "unknown", count: 0, someStale: false, rows: [] } as const;
    const { card } = show(view({ changes: { is: "unknown", missing: true }, checks }));
    expect(card).toHaveTextContent("older session");
    expect(card).toHaveTextContent("Check information incomplete");
    expect(card.textContent).not.toMatch(/[+−]\d|\b0\b|passed|[Nn]o net changes/);
  });
});

test("the counts are heard as words and seen as signs", () => {
  const changes = { is: "counted", files: 1, added: 1234, removed: 1, partial: false } as const;
  const { card } = show(view({ changes }));
  expect(card).toHaveTextContent("1,234 lines added, 1 line removed");
  expect(card).toHaveTextContent("+1,234−1");
});

test("the card keeps its id, and is named by its turn (UI-1, UI-8)", () => {
  const { card } = show(view());
  expect(card).toHaveAttribute("id", "turn-result-6:1700000000000000000");
  expect(card).toHaveAccessibleName("Results of turn 7");
  expect(within(card).getByRole("heading", { name: "Turn results" })).toBeVisible();
});

test("a turn without anything to show is one quiet line with both facts (UI-3, CH-6)", () => {
  const { card } = show(view({ shape: "line" }));
  expect(card).toHaveTextContent("No net changes · no recorded check");
  expect(within(card).queryByRole("button")).toBeNull();
});

describe("a file row (UI-7)", () => {
  test.each([
    [{ is: "lines", added: 30, removed: 12 }, "+30−12"],
    [{ is: "lines", added: 12, removed: 0 }, "+12"],
    [{ is: "lines", added: 0, removed: 0 }, "+0"],
    [{ is: "binary" }, "binary"],
    [{ is: "mode_only" }, "mode only"],
    [{ is: "uncounted" }, "lines unknown"],
  ] as const)("with %j says %s", (count, text) => {
    show(viewOf(file("src/a.rs", { count })));
    const row = screen.getByRole("button", { name: /src\/a\.rs/ });
    expect(row.textContent?.endsWith(text)).toBe(true);
  });

  test.each([
    ["create", "created", "A"],
    ["modify", "modified", "M"],
    ["delete", "deleted", "D"],
  ] as const)("of kind %s says so by word and by letter", (kind, word, letter) => {
    show(viewOf(file("x", { kind })));
    expect(screen.getByRole("button", { name: new RegExp(`^${word}`) })).toHaveTextContent(letter);
  });

  test.each([
    ["written", null],
    ["observed", "observed"],
    ["reported", "reported"],
    ["unknown", "origin unknown"],
  ] as const)(
    "known as %s is marked by word where the host did not write it (TL-3)",
    (level, word) => {
      show(viewOf(file("x", { level })));
      const row = screen.getByRole("button", { name: /x/ });
      for (const it of ["observed", "reported", "origin unknown"]) {
        expect(within(row).queryByText(it) !== null).toBe(it === word);
      }
    },
  );

  test("opens its own diff, by keyboard too", async () => {
    const user = userEvent.setup();
    const { onOpenDiff } = show(viewOf(file("src/a.rs"), file("src/b.rs")));
    await user.tab();
    await user.tab();
    await user.keyboard("{Enter}");
    expect(onOpenDiff).toHaveBeenCalledExactlyOnceWith("src/b.rs");
  });
});

test("of many files some are shown, and the others counted", async () => {
  const user = userEvent.setup();
  const files = Array.from({ length: 40 }, (_, index) => file(`src/f${index}.rs`));
  const { onOpenDiff } = show({ ...viewOf(...files), totalFiles: 230 });
  const rows = within(screen.getByRole("list", { name: "Changed files" })).getAllByRole("button");
  expect(rows).toHaveLength(9);
  await user.click(screen.getByRole("button", { name: "222 more files" }));
  expect(onOpenDiff).toHaveBeenCalledWith("src/f8.rs");
});

test("one file too many is shown, not counted", () => {
  show(viewOf(...Array.from({ length: 9 }, (_, index) => file(`f${index}`))));
  expect(screen.queryByText(/more file/)).toBeNull();
});

describe("checks", () => {
  test("each says its state by word, and what it came to", () => {
    const rows = [
      check("npm test", { state: "failed", exitCode: 1, durationMs: 3900 }),
      check("cargo test", { state: "interrupted", exitCode: undefined, durationMs: 8200 }),
      check("cargo clippy", { state: "stale", stale: true }),
      check("cargo fmt --check", { durationMs: undefined }),
    ];
    show(view({ checks: { status: "failed", count: 1, someStale: true, rows } }));
    const list = screen.getByRole("list", { name: "Recorded checks" });
    expect(
      within(list)
        .getAllByRole("listitem")
        .map((it) => it.textContent),
    ).toEqual([
      "failed npm testexit 1 · 3.9 s",
      "interrupted cargo testinterrupted · 8.2 s",
      "stale: something changed after it cargo clippystale: something changed after it",
      "passed cargo fmt --checkexit 0",
    ]);
    expect(screen.getByText("1 failed")).toBeVisible();
    expect(screen.getByText("some are stale")).toBeVisible();
  });

  test("a failed one that is stale says both", () => {
    const rows = [check("npm test", { state: "failed", exitCode: 2, stale: true })];
    const { card } = show(view({ checks: { status: "failed", count: 1, someStale: true, rows } }));
    expect(card).toHaveTextContent("exit 2 · 4.2 s · stale: something changed after it");
  });

  test("a missing exit code is not shown as 0", () => {
    const rows = [check("npm test", { state: "failed", exitCode: undefined })];
    const { card } = show(view({ checks: { status: "failed", count: 1, someStale: false, rows } }));
    expect(card).toHaveTextContent("no exit code");
  });

  test.each([
    ["passed", "2 passed"],
    ["interrupted", "interrupted"],
    ["stale", "stale"],
    ["running", "Checking…"],
    ["unknown", "2 inconclusive"],
  ] as const)("of status %s are summed up as %s (CK-5)", (status, text) => {
    show(view({ checks: { status, count: 2, someStale: false, rows: [] } }));
    expect(screen.getByText(text)).toBeVisible();
  });

  test("of which nothing is known are no pass and no zero (UI-5)", () => {
    show(view({ checks: { status: "unknown", count: 0, someStale: false, rows: [] } }));
    expect(screen.getByText("Check information incomplete")).toBeVisible();
  });

  test("whose status is worth less say why, in the card and in full in the panel (CH-2)", () => {
    const rows = [
      check("cargo test | tail", { state: "unknown", qualifiers: ["masked_exit"] }),
      check("make lint", { kind: "unclassified", qualifiers: ["filtered"] }),
    ];
    const { card } = show(
      view({ checks: { status: "unknown", count: 1, someStale: false, rows } }),
    );
    expect(card).toHaveTextContent("exit 0 · 4.2 s · masked");
    expect(card).toHaveTextContent("exit 0 · 4.2 s · unclassified · filtered");
  });

  test("open their details", async () => {
    const user = userEvent.setup();
    const rows = [check("npm test")];
    const { onOpenChecks } = show(
      view({ checks: { status: "passed", count: 1, someStale: false, rows } }),
    );
    await user.click(screen.getByRole("button", { name: "View checks" }));
    expect(onOpenChecks).toHaveBeenCalledOnce();
  });
});

describe("why a result is not complete", () => {
  const reason = (code: GapReason, more: Partial<TurnResultView["reasons"][number]> = {}) => ({
    reason: code,
    code,
    paths: [],
    calls: [],
    ...more,
  });

  test("is said in words, with the command that it came with", () => {
    const calls = [
      { call: "c1", title: { text: "npm run fmt", totalBytes: 11 }, wasCutOff: false },
    ];
    show(view({ changes: { is: "incomplete" }, reasons: [reason("bash_side_effect", { calls })] }));
    const list = screen.getByRole("list", { name: "What is not accounted for" });
    expect(list).toHaveTextContent("A command ran that may have changed files. npm run fmt");
  });

  test("names three files and counts the others", () => {
    const paths = ["a", "b", "c", "d", "e"];
    show(view({ changes: { is: "incomplete" }, reasons: [reason("size_limit", { paths })] }));
    const list = screen.getByRole("list", { name: "What is not accounted for" });
    expect(list).toHaveTextContent("and 2 more");
    expect(within(list).queryByTitle("d")).toBeNull();
  });

  test("is said by its code where this version has no word for it", () => {
    const unknown = { reason: undefined, code: "scan_limit", paths: [], calls: [] };
    const { card } = show(view({ changes: { is: "incomplete" }, reasons: [unknown] }));
    expect(card).toHaveTextContent("Something else is not accounted for (scan_limit).");
  });
});

describe("the lines under the answer (AN-24)", () => {
  test("stand there where nothing else says it", () => {
    const { card } = show(view({ ...viewOf(file("x")), notes: [{ note: "no_recorded_check" }] }));
    expect(card).toHaveTextContent("No recorded check in this turn.");
  });

  test("are not said twice", () => {
    const refused = [refusedWrite("a.rs")];
    const notes = [
      { note: "no_recorded_check" },
      { note: "no_net_changes" },
      { note: "writes_refused", count: 1 },
    ] as const;
    const { card } = show(view({ writesRefused: 1, refused, notes }));
    expect(card.textContent?.match(/[Nn]o net changes/g)).toHaveLength(1);
    expect(card.textContent?.match(/refused/g)).toHaveLength(2);
    expect(screen.getByText("1 write refused")).toBeVisible();
  });

  test("say that writes were refused where the list of them is missing", () => {
    const { card } = show(view({ writesRefused: 2 }));
    expect(card).toHaveTextContent("2 writes refused");
  });
});

test("a write that was denied, or was meant for a place outside, unfolds to what it was", async () => {
  const user = userEvent.setup();
  const turnedAway = (path: string, failure: "denied" | "outside_workspace") => {
    const none = { code: undefined, recovery: "", actions: [], retryable: false } as const;
    return { call: path, path, failure, word: failure, ...none };
  };
  const refused = [turnedAway("touch a", "denied"), turnedAway("../b", "outside_workspace")];
  show(view({ writesRefused: 2, refused }));
  expect(screen.getByText("2 writes refused")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Why refused" }));
  const list = screen.getByRole("list", { name: "Write refused" });
  expect(list).toHaveTextContent("touch adeniedIt was denied.");
  expect(list).toHaveTextContent("../boutside_workspaceIt lies outside the workspace.");
});

test("a refused write unfolds to its file, its code, why, and what works now", async () => {
  const user = userEvent.setup();
  show(view({ refused: [refusedWrite("src/config.rs")] }));
  const button = screen.getByRole("button", { name: "Why refused", expanded: false });
  await user.click(button);
  expect(button).toHaveAttribute("aria-expanded", "true");
  const list = screen.getByRole("list", { name: "Write refused" });
  expect(list).toHaveTextContent("src/config.rs");
  expect(list).toHaveTextContent("FS_NOT_OBSERVED");
  expect(list).toHaveTextContent("The file was not read before this answer.");
  expect(list).toHaveTextContent("What works now: Read the file again");
});

test.each([
  [{ is: "interrupted" }, "interrupted"],
  [{ is: "unknown" }, "end unknown"],
  [
    { is: "failed", failure: { code: "rate_limited", message: "", action: "wait_and_retry" } },
    "turn failed",
  ],
] as const)(
  "AN-31: a turn that did not end by itself says so, in the quiet line too: %j",
  (outcome, text) => {
    const { unmount } = show(view({ ...viewOf(file("x")), outcome }));
    expect(screen.getByText(text)).toBeVisible();
    unmount();
    show(view({ shape: "line", outcome }));
    expect(screen.getByText(text)).toBeVisible();
  },
);

test.each([
  [true, /may have taken effect .* look before running it again/],
  [false, /A command ran that may have changed files/],
])("a stopped turn says what its command may have done, cut off (%s) or not", (wasCutOff, note) => {
  const calls = [{ call: "c1", title: undefined, wasCutOff }];
  const { card } = show(
    view({
      ...viewOf(file("x")),
      reasons: [{ reason: "bash_side_effect", code: "bash_side_effect", paths: [], calls }],
      outcome: { is: "interrupted" },
    }),
  );
  expect(card).toHaveTextContent(note);
});

test("there is no action that leads nowhere", () => {
  show(view({ changes: { is: "incomplete" } }));
  expect(screen.queryByRole("button")).toBeNull();
});

test.each(languages)("every text is there in %s (LC-1)", (language) => {
  const rows = [check("a", { state: "failed", stale: true, level: "reported" })];
  const { card } = show(
    view({
      ...viewOf(file("x", { level: "observed", count: { is: "uncounted" } })),
      checks: { status: "failed", count: 1, someStale: true, rows },
      reasons: [{ reason: "hardlink", code: "hardlink", paths: ["y"], calls: [] }],
      refused: [refusedWrite("z")],
      notes: [{ note: "no_recorded_check" }],
    }),
    language,
  );
  // A key that has no text would show itself.
  expect(card.textContent).not.toMatch(/\b(card|checks|gap|note|patch|level|fileCount)\.\w/);
});

function refusedWrite(path: string): TurnResultView["refused"][number] {
  const code = "FS_NOT_OBSERVED";
  const actions = ["reread_target", "abandon_edit"] as const;
  const failure = undefined;
  return { call: path, path, code, failure, word: code, recovery: "", actions, retryable: true };
}

describe("what was not read (RC-21, RC-25)", () => {
  test("is said in words, with what to do", () => {
    const { card } = show(view({ outcome: { is: "incomplete_read" } }));
    expect(card).toHaveTextContent("reading incomplete");
    const list = within(card).getByRole("list", { name: "What was not read" });
    expect(list).toHaveTextContent(
      "A file was not read to its end. Send a message to go on with it.",
    );
  });

  test("of a read that the user stopped names the file and the lines, where they are known", () => {
    const { card } = show(
      view({
        readsStopped: [
          { path: "logs/build.txt", missing: [[2000, 2105]] },
          { path: "data/export.sql", missing: [] },
        ],
      }),
    );
    const [first, second] = within(card).getAllByRole("listitem");
    expect(first).toHaveTextContent(/logs\/build\.txt.* · missing lines 2,001–2,105$/);
    expect(second).toHaveTextContent(/You stopped the reading of data\/export\.sql/);
    expect(second?.textContent).not.toMatch(/missing|·/);
    expect(within(card).queryByText("reading incomplete")).toBeNull();
  });

  test("is not there where all was read", () => {
    const { card } = show(view());
    expect(within(card).queryByRole("list", { name: "What was not read" })).toBeNull();
  });
});
