// The states that the design names: sessions to open, and what a person does then to see the state.

import { type Backend, BackendError, type SettingsView } from "../frontend/src/backend/backend.ts";
import { type Recorded, replay } from "../frontend/src/backend/replay.ts";
import type {
  CompletionReceipt,
  EventKind,
  Language,
  SessionEvent,
  SessionId,
  TurnFile,
} from "../frontend/src/bindings.ts";
import type { Translate } from "../frontend/src/locale/index.ts";
import {
  begun,
  check,
  done,
  ended,
  file,
  log,
  receipt,
  said,
  started,
  used,
} from "../frontend/src/app/tests/events.ts";
import { cutOff, keptPictures, redLogo } from "./pictures.ts";
import {
  incomplete,
  manyPages,
  pausedByBudget,
  stalled,
  stoppedAndDone,
  stoppedOne,
  twoReads,
} from "./reads.ts";
import {
  asked,
  long,
  nobody,
  patch,
  providers,
  renamed,
  streamed,
  troubled,
} from "../frontend/src/app/tests/scenes.ts";

/** 14:32 on a day in November, in UTC. */
export const NOW = 1_699_972_320;

export type State = {
  readonly recordings: readonly Recorded[];
  readonly settings?: SettingsView;
  readonly backend?: Partial<Backend>;
  readonly inspectorOpen?: boolean;
  /** Pressed and clicked, one after the other, once the window is there. */
  readonly deeds?: readonly Deed[];
  /** The conversation and the panel alone, each this wide. */
  readonly widthPx?: number;
  readonly language?: Language;
};

/** A key with Ctrl, a click on the button whose words begin so, or words for the field that is left. */
export type Deed =
  | { readonly key: string; readonly shift?: boolean }
  | { readonly click: (t: Words) => string }
  | { readonly type: string };

/** The words of the language on the page. */
export type Words = (key: Parameters<Translate>[0], values?: Record<string, string>) => string;

const core = "/home/you/src/ledger-core";
const web = "/home/you/src/web-console";
const hour = 3600;

const others: readonly Recorded[] = [
  { workspace: core, events: troubled("s_2", NOW - 5 * hour) },
  { workspace: web, events: long("s_3", NOW - 72 * hour, 3) },
];

const patches = new Map([["src/auth.rs", patch]]);

/** One session of one turn, before the others in the list. */
function one(kinds: readonly EventKind[]): State {
  const { events, add } = log("s_1", NOW - 60);
  add(0, ...kinds);
  return { recordings: [{ workspace: core, events, patches }, ...others] };
}

/** What comes after so many events comes while the page is looked at. */
const played = (playedFrom: number, events: readonly SessionEvent[], more: { frameLetters?: number } = {}): State => ({
  recordings: [{ workspace: core, events, playedFrom, ...more }],
});

const partOfFormat = [
  file("src/parser.rs", "modify", 40, 28),
  file("Cargo.lock", "create", 4, 0),
].map((it) => ({ ...it, level: "observed" as const, callIds: ["c2"] }));

/** What the question for a write is about. */
const edit = JSON.stringify({
  path: ".evident/config.toml",
  old_string: 'checks = ["cargo test", "cargo clippy"]\ntimeout = 120\n',
  new_string: 'checks = ["cargo test"]\n# Clippy takes too long on this machine.\ntimeout = 120\n',
});

const demoFolder = "/home/you/.evident/demo/1/tally";
const firstOfDemo = renamed("s_1", NOW - 40).filter((it) => it.turn === 0);

const named = {
  mock: { ...mock(), inspectorOpen: true },
  refused: one([
    started(0, "Set the timeout to a Duration"),
    begun("c1", "edit_file", "src/config.rs"),
    refusal("c1", "src/config.rs"),
    begun("c2", "edit_file", "src/main.rs"),
    refusal("c2", "src/main.rs"),
    said("m1", "Both files changed since they were read. I left them as they are."),
    used("m1", 22_400, 21_900, 310),
    done(
      receipt(0, [], {
        refused: ["src/config.rs", "src/main.rs"].map((path, index) => ({
          call: `c${index + 1}`,
          diagnostic: stale(path),
        })),
        notes: [{ note: "no_recorded_check" }, { note: "no_net_changes" }],
      }),
    ),
  ]),
  observed: one([
    started(0, "Split the lexer and format the tree"),
    begun("c1", "edit_file", "src/lexer.rs"),
    ended("c1", "edit_file", "src/lexer.rs", "edited src/lexer.rs: 1 replacement"),
    begun("c2", "bash", "cargo fmt"),
    ended("c2", "bash", "cargo fmt", "", { exitCode: 0, durationMs: 800 }),
    begun("c3", "bash", "cargo test"),
    ended("c3", "bash", "cargo test", "test result: ok.", { exitCode: 0, durationMs: 11_000 }),
    said("m1", "The lexer stands in its own module; `cargo fmt` touched two more files."),
    used("m1", 41_200, 39_000, 900),
    done(
      receipt(0, [file("src/lexer.rs", "modify", 14, 3), ...partOfFormat], {
        verifications: [check("c3", "cargo test", 0)],
      }),
    ),
  ]),
  masked: masked(),
  log: logged(),
  split: {
    ...mock(),
    deeds: [{ click: (t) => t("card.viewDiff") }, { click: (t) => t("diff.split") }],
  },
  pictures: {
    ...drawn([file("assets/logo.svg", "modify", 2, 2), file("assets/mark.svg", "create", 3, 0)]),
    deeds: [{ click: (t) => t("card.viewDiff") }, { click: (t) => t("picture.show") }],
  },
  "pictures-without-diff": {
    ...drawn([
      {
        ...file("assets/logo.svg", "modify", 0, 0),
        uncounted: true,
        unavailable: "size_limit",
      },
    ]),
    deeds: [{ click: (t) => t("card.viewDiff") }],
  },
  /** The file of the session ends in the middle of its last turn. */
  damaged: {
    ...one(cutOff),
    backend: {
      openSession: async () => {
        throw new BackendError({ kind: "session_damaged", message: "record 6 is torn" });
      },
    },
  },
  "picture-gone": {
    ...drawn([{ ...file("docs/window.png", "modify", 0, 0), binary: true, level: "observed" }]),
    deeds: [{ click: (t) => t("card.viewDiff") }],
  },
  checks: one([
    started(0, "Make the tests of the importer pass"),
    begun("c1", "edit_file", "src/import.ts"),
    ended("c1", "edit_file", "src/import.ts", "edited src/import.ts: 1 replacement"),
    ended("c2", "bash", "npm test", "1 failed", { exitCode: 1, durationMs: 3900 }),
    ended("c3", "bash", "cargo test", "", { status: "interrupted", durationMs: 8200 }),
    ended("c4", "bash", "cargo clippy", "", { exitCode: 0, durationMs: 5100 }),
    ended("c5", "bash", "cargo doc", "", { exitCode: 0, durationMs: 6400 }),
    said("m1", "All tests pass now."),
    used("m1", 18_000, 17_100, 420),
    done(
      receipt(0, [file("src/import.ts", "modify", 6, 0)], {
        verifications: [
          check("c2", "npm test", 1),
          check("c3", "cargo test", null, { interrupted: true }),
          check("c4", "cargo clippy", 0, { stale: true }),
          check("c5", "cargo doc", 0),
        ],
      }),
    ),
  ]),
  approval: { recordings: [{ workspace: web, events: asked("s_4", NOW - 20) }, ...others] },
  write: {
    recordings: [{ workspace: core, events: asksToWrite("s_1", NOW - 20) }, ...others],
    backend: { toolDetail: async (_, call) => ({ call, tool: "edit_file", arguments: edit }) },
  },
  denied: one([
    started(0, "Let the check always pass"),
    begun("c1", "edit_file", ".evident/config.toml"),
    ended("c1", "edit_file", ".evident/config.toml", "", {
      status: "rejected",
      failure: { code: "denied", message: "The user said no.", next: "Ask what to do instead." },
    }),
    ended("c2", "edit_file", "README.md", "edited README.md: 1 replacement"),
    said("m1", "I left the settings as they are and only wrote it down."),
    used("m1", 12_000, 11_400, 120),
    done(
      receipt(0, [file("README.md", "modify", 3, 0)], {
        refused: [{ call: "c1", failure: "denied" }],
        notes: [{ note: "no_recorded_check" }, { note: "writes_refused", count: 1 }],
      }),
    ),
  ]),
  demo: {
    recordings: [{ workspace: demoFolder, events: firstOfDemo }],
    backend: {
      listSessions: async () => [
        {
          session: "s_1",
          title: "The total of expenses.txt should be 50",
          workspace: demoFolder,
          createdAt: NOW - 60,
          changedAt: NOW - 20,
          turns: 1,
          isDemo: true,
        },
      ],
      demoPrompts: async () => [
        "The total of expenses.txt should be 50, and tally.sh says 42. Find out why and fix it.",
        "Let tally.sh skip lines that start with #, with a case for it, and run the check.",
      ],
    },
  },
  reads: one([
    started(0, "What does the build log say?"),
    begun("c1", "read_file", "src/auth.rs"),
    ended("c1", "read_file", "src/auth.rs", "118\t/// Checks the bearer token."),
    begun("c2", "grep", "timeout"),
    ended("c2", "grep", "timeout", "src/config.rs:42: timeout: u64"),
    begun("c3", "ls", "src/routes/very/deep/folder/of/modules/that/goes/on/and/on"),
    ended("c3", "ls", "src/routes/very/deep/folder/of/modules/that/goes/on/and/on", "", {
      status: "failed",
      failure: { code: "not_found", message: "It is not there.", next: "List src/routes." },
    }),
    begun("c4", "read_file", "logs/build.txt"),
  ]),
  reading: one(twoReads),
  paused: one(pausedByBudget),
  stalled: {
    ...one(stalled),
    inspectorOpen: true,
    deeds: [{ click: (t) => t("reads.details", { path: "data/export.sql" }) }],
  },
  incomplete: {
    ...one(incomplete),
    deeds: [{ click: (t) => t("reads.goOnIt", { path: "data/export.sql" }) }],
  },
  stopped: one(stoppedOne),
  "stopped-done": one(stoppedAndDone),
  refusal: {
    ...one([
      started(0, "Set the timeout to a Duration"),
      begun("c0", "read_file", "src/config.rs"),
      ended("c0", "read_file", "src/config.rs", "42\t    pub timeout: u64,"),
      begun("c1", "edit_file", "src/config.rs"),
      refusal("c1", "src/config.rs"),
    ]),
    deeds: [{ click: (t) => `${t("step.plan.edit")} src/config.rs` }],
  },
  interruption: one([
    started(0, "Deploy it to staging"),
    begun("c4", "edit_file", "src/main.rs"),
    ended("c4", "edit_file", "src/main.rs", "edited src/main.rs: 1 replacement"),
    begun("c5", "bash", "./deploy.sh staging"),
    ended("c5", "bash", "./deploy.sh staging", "", { status: "unknown", durationMs: null }),
    ended("c6", "write_file", "CHANGELOG.md", "", { status: "cancelled", durationMs: null }),
    { type: "notice", notice: "turn_recovered" },
    done(interrupted(), { is: "interrupted" }),
  ]),
  "first-run": { recordings: [], settings: nobody },
  provider: {
    ...mock(),
    backend: {
      testProvider: async () => ({
        is: "answered",
        model: "deepseek-v4-pro",
        durationMs: 400,
        models: ["deepseek-v4-flash", "deepseek-v4-pro"],
        hasModel: true,
      }),
    },
    deeds: [{ key: "," }, { click: (t) => t("settings.test") }],
  },
  checking: one([
    started(0, "Run the tests"),
    begun("c1", "read_file", "Cargo.toml"),
    ended("c1", "read_file", "Cargo.toml", "[package]"),
    {
      type: "tool_started",
      call: "c2",
      tool: "bash",
      title: { text: "cargo test", totalBytes: 10 },
      check: "test",
    },
  ]),
  older: older(),
  search: { ...mock(), deeds: [{ key: "f", shift: true }, { type: "token" }] },
  archived: {
    recordings: [
      ...mock().recordings.slice(0, 1),
      ...others.map((it) => ({ ...it, archived: true })),
    ],
    deeds: [{ click: (t) => t("sessions.archived") }],
  },
  rename: {
    ...mock(),
    deeds: [
      { click: (t) => t("sessions.actions", { title: "Where is the token checked?" }) },
      { click: (t) => t("sessions.renameIt") },
    ],
  },
  narrow: { ...mixed(), widthPx: 280, language: "zh" },
  empty: {
    recordings: [{ workspace: core, events: renamed("s_1", NOW - 40), playedFrom: 0 }, ...others],
  },
} satisfies Record<string, State>;

export type StateName = keyof typeof named;

/** What `?state=` may say; the first is the mock's own picture, others the design's, and some ours. */
export const states: ReadonlyMap<string, State> = new Map<string, State>(Object.entries(named));

/** What `?load=` may say: a long stream, 5,000 messages, a patch and a log of 2 MiB, many pages. */
export const loads: ReadonlyMap<string, State> = new Map<string, State>([
  ["stream", played(1, streamed("s_5", NOW - 9), { frameLetters: 4 })],
  ["long", { recordings: [{ workspace: web, events: long("s_3", NOW - 60, 2500) }] }],
  ["reads", played(12, manyPages("s_6", NOW - 300))],
  [
    "patch",
    { recordings: mock().recordings.map((it) => ({ ...it, patches: new Map([["src/auth.rs", bigPatch()]]) })) },
  ],
  ["log", { recordings: masked().recordings.map((it) => ({ ...it, logs: new Map([["c1", bigLog()]]) })) }],
]);

/** 2 MiB of it, in which each tenth line changes. */
function bigPatch(): string {
  const lines: string[] = [];
  let [bytes, old, added] = [0, 0, 0];
  for (let at = 0; bytes < 2 << 20; at += 1) {
    const body = `    let value_${at} = compute(${at}, "some text of a usual length"); // note ${at}`;
    const changes = at % 10 === 5;
    const put = changes ? [`-${body}`, `+${body.replace("compute", "calculate")}`] : [` ${body}`];
    lines.push(...put);
    bytes += put.reduce((sum, it) => sum + it.length + 1, 0);
    [old, added] = [old + 1, added + 1];
  }
  const head = `--- a/src/auth.rs\n+++ b/src/auth.rs\n@@ -1,${old} +1,${added} @@\n`;
  return `${head}${lines.join("\n")}\n`;
}

/** 2 MiB of it, in colours. */
function bigLog(): string {
  const lines: string[] = [];
  for (let [at, bytes] = [0, 0]; bytes < 2 << 20; at += 1) {
    const line = `test store::tests::case_${at} ... \u001b[32mok\u001b[0m`;
    lines.push(line);
    bytes += line.length + 1;
  }
  return `${lines.join("\n")}\n`;
}

/** The host of a state, and how its running turn goes on. */
export function open(state: State): {
  backend: Backend;
  step: (session: SessionId) => boolean;
} {
  const { backend, step } = replay(state.recordings);
  return {
    step,
    backend: {
      ...backend,
      settings: async () => state.settings ?? providers,
      saveProvider: async () => providers,
      toolDetail: async (session, call) => {
        const output = await backend.toolDetail(session, call).catch(() => undefined);
        const args = '{"path":"src/config.rs","old_string":"u64","new_string":"Duration"}';
        return { call, tool: "edit_file", output: null, ...output, arguments: args };
      },
      ...state.backend,
    },
  };
}

function asksToWrite(session: SessionId, at: number): readonly SessionEvent[] {
  const { events, add } = log(session, at);
  add(
    0,
    started(0, "Make the checks faster"),
    said("m0", "I take the slow one out of the settings."),
    {
      type: "permission_asked",
      permission: "p1",
      call: "c1",
      tool: "edit_file",
      subject: { text: ".evident/config.toml", totalBytes: 20 },
      reason: "guarded",
    },
  );
  return events;
}

function mock(): State {
  return {
    recordings: [{ workspace: core, events: renamed("s_1", NOW - 40), patches }, ...others],
  };
}

function stale(path: string) {
  return {
    code: "FS_STALE_VERSION" as const,
    path,
    recovery: `read_file ${path} first`,
    allowedRecovery: ["reread_target" as const, "abandon_edit" as const],
    retryable: true,
  };
}

function refusal(call: string, path: string) {
  return ended(call, "edit_file", path, `Write refused: ${path} changed since it was read.`, {
    status: "rejected",
    refusal: stale(path),
  });
}

function interrupted(): CompletionReceipt {
  const of = receipt(0, [file("src/main.rs", "modify", 2, 1)], {
    interrupted: true,
    notes: [{ note: "no_recorded_check" }],
  });
  return unaccounted(of, "c5");
}

/** The same result, beside a command that may have changed more. */
function unaccounted(of: CompletionReceipt, call: string): CompletionReceipt {
  const { diff } = of;
  if (diff === undefined || diff === null) return of;
  const reasons = [{ reason: "bash_side_effect" as const, call }];
  return { ...of, diff: { ...diff, coverage: "partial", reasons } };
}

/** An old session without statistics, a turn whose patches were cleaned, and a key that failed. */
function older(): State {
  const { events, add } = log("s_1", NOW - 60);
  const { diff: _, ...without } = receipt(0, []);
  add(0, started(0, "Rename the module"), said("m0", "Done."), done(without));
  add(
    1,
    started(1, "And its tests"),
    said("m1", "Done as well."),
    done(receipt(1, [file("src/verify.rs", "modify", 3, 1)])),
  );
  add(
    2,
    started(2, "And the docs"),
    done(receipt(2, []), {
      is: "failed",
      failure: {
        code: "wrong_key",
        message: "Check the API key, the provider did not accept it: invalid api key",
        detail: "invalid api key",
        action: "check_key",
      },
    }),
  );
  return {
    recordings: [{ workspace: core, events }, ...others],
    deeds: [{ click: (t) => t("card.viewDiff") }],
  };
}

/** The card of the mock: four files of four kinds, a gap, a stale check. */
function mixed(): State {
  const of = receipt(
    0,
    [
      file("packages/core/src/very/deep/folder/of/modules/auth/session.rs", "modify", 30, 12),
      file("src/verify.rs", "create", 12, 0),
      { ...file("assets/logo.png", "modify", 0, 0), binary: true },
      { ...file("run.sh", "modify", 0, 0), modeOnly: true },
    ],
    {
      verifications: [
        check("c1", "cargo test --lib auth", 0),
        check("c2", "cargo clippy", 0, { stale: true }),
      ],
    },
  );
  return one([
    started(0, "Rename validate_token to verify_token in auth."),
    ended("c1", "bash", "cargo test --lib auth", "ok", { exitCode: 0, durationMs: 4200 }),
    ended("c2", "bash", "cargo clippy", "ok", { exitCode: 0, durationMs: 5100 }),
    ended("c3", "bash", "npm run fmt", "", { exitCode: 0, durationMs: 900 }),
    said("m1", "Renamed `validate_token` to `verify_token`."),
    done(unaccounted(of, "c3")),
  ]);
}

/** Checks whose status is worth less than it looks. */
function masked(): State {
  const of = receipt(0, [file("src/verify.rs", "modify", 3, 1)], {
    verifications: [
      check("c1", "cargo test 2>&1 | tail -20", 0, {
        kind: "test",
        qualifiers: ["masked_exit"],
        counts: { passed: 12, failed: 0, skipped: 1 },
        toolResultId: "0".repeat(64),
      }),
      check("c2", "cargo test nothing_like_it", 0, {
        kind: "test",
        counts: { passed: 0, failed: 0, skipped: 0 },
        qualifiers: ["no_tests", "filtered"],
      }),
      check("c3", "make lint", 0, { kind: "unclassified" }),
    ],
  });
  return one([
    started(0, "Run the tests."),
    ended("c1", "bash", "cargo test 2>&1 | tail -20", "ok", { exitCode: 0, durationMs: 4200 }),
    ended("c2", "bash", "cargo test nothing_like_it", "ok", { exitCode: 0, durationMs: 700 }),
    ended("c3", "bash", "make lint", "ok", { exitCode: 0, durationMs: 900 }),
    said("m1", "All tests pass."),
    done(of),
  ]);
}

/** Files that are pictures, and what is kept of them. */
function drawn(files: TurnFile[]): State {
  const { recordings, ...rest } = one(redLogo(files));
  return { ...rest, recordings: recordings.map((it) => ({ ...it, ...keptPictures() })) };
}

/** The log of a check, in its colours. */
function logged(): State {
  const { recordings } = masked();
  const green = "\u001b[32mok\u001b[0m";
  const lines = Array.from({ length: 12 }, (_, i) => `test store::tests::case_${i} ... ${green}`);
  const end = "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out";
  const logs = new Map([["c1", [...lines, "", end, ""].join("\n")]]);
  return {
    recordings: recordings.map((it) => ({ ...it, logs })),
    deeds: [{ click: (t) => t("card.viewChecks") }, { click: (t) => t("step.output") }],
  };
}

/** The scenarios of the card (UI-21), as the conversation and the panel alone. */
export const scenarios: ReadonlyMap<string, readonly SessionEvent[]> = new Map(
  Object.entries({
    failed: named.checks,
    passed: mock(),
    none: named.refused,
    stale: mixed(),
    interrupted: named.interruption,
    running: named.reads,
    partial: mixed(),
    masked: masked(),
    legacy: named.older,
    observed: named.observed,
    refused: named.refused,
  }).map(([name, { recordings }]) => [name, recordings[0]?.events ?? []]),
).set("history", long("s_3", NOW - 60, 1500));
