// Turns that read large files: while they read, when a read paused, when one was stopped.

import type {
  EventKind,
  ReadStatus,
  ReadStopCode,
  SessionEvent,
  SessionId,
} from "../frontend/src/bindings.ts";
import {
  begun,
  done,
  ended,
  log as newLog,
  reading,
  receipt,
  said,
  started,
  used,
} from "../frontend/src/app/tests/events.ts";

const log = "logs/build.txt";
const source = "src/auth.rs";
const dump = "data/export.sql";
const deep =
  "packages/core/src/very/deep/folder/of/modules/that/goes/on/and/on/generated_bindings.rs";

const paths = [log, source, dump, deep];

const stands: typeof reading = (seq, path, covered, rest) =>
  reading(seq, path, covered, { readId: `read-0-${paths.indexOf(path) + 1}`, ...rest });

const page = (call: string, path: string): EventKind[] => [
  begun(call, "read_file", path),
  ended(call, "read_file", path, "1\tthe first of many lines"),
];

const gaps: Partial<ReadStatus> = {
  missing: [
    [400, 720],
    [1000, 1164],
  ],
  sourceEnd: 1164,
};

const paused = (seq: number, reason: ReadStopCode, rest: Partial<ReadStatus> = {}): EventKind =>
  stands(seq, dump, [[0, 26_000]], {
    state: "blocked",
    verdict: "read_hard_stop",
    reason,
    missing: [[26_000, 63_412]],
    sourceEnd: 63_412,
    recovery: { offset: 26_000, limit: 2000 },
    active: false,
    ...rest,
  });

const nothing = receipt(0, [], {
  notes: [{ note: "no_recorded_check" }, { note: "no_net_changes" }],
});

const whole = { state: "satisfied", hasMore: false, active: false } as const;

/** One whose lines are known, with gaps, and one of which nobody knows where it ends. */
export const twoReads: readonly EventKind[] = [
  started(0, "Read the whole build log and auth.rs, and say why the build is slow"),
  ...page("c1", source),
  stands(1, source, [[0, 400]], { sourceEnd: 1164, missing: [[400, 1164]] }),
  ...page("c2", log),
  stands(2, log, [[0, 2000]]),
  said("m1", "The log starts with the resolver. I read on."),
  ...page("c3", log),
  stands(3, log, [[0, 18_000]]),
  ...page("c4", source),
  stands(
    4,
    source,
    [
      [0, 400],
      [720, 1000],
    ],
    gaps,
  ),
  begun("c5", "read_file", log),
  stands(5, log, [[0, 18_000]], { state: "fetching" }),
];

/** One paused, one goes on, one is done, with a path that has no room. */
export const pausedByBudget: readonly EventKind[] = [
  started(0, "Read the whole dump, the bindings and the log"),
  ...page("c1", deep),
  stands(1, deep, [[0, 2000]], { sourceEnd: 2480, missing: [[2000, 2480]] }),
  stands(2, deep, [[0, 2480]], { sourceEnd: 2480, ...whole }),
  ...page("c2", dump),
  paused(3, "page_budget"),
  ...page("c3", log),
  stands(4, log, [
    [0, 2000],
    [4000, 6000],
    [8000, 8001],
    [9000, 9400],
    [12_000, 12_400],
    [15_000, 18_000],
  ]),
  said("m1", "The dump is too long for one read. I go on with the log."),
];

/** Stalled, after the end of its turn. */
export const stalled: readonly EventKind[] = [
  started(0, "Read the whole dump"),
  ...page("c1", dump),
  paused(1, "no_progress"),
  said("m1", "The same page came three times; I could not read past line 26,000."),
  used("m1", 48_000, 41_000, 210),
  done(nothing, { is: "incomplete_read" }),
];

/** Two that came to no end: the turn ended before one, and the pages of the other do not join. */
export const incomplete: readonly EventKind[] = [
  started(0, "Read the log and the dump, all of both"),
  ...page("c1", log),
  stands(1, log, [[0, 2000]]),
  ...page("c2", dump),
  paused(2, "unversioned_source", { state: "needs_scope", missing: [] }),
  said("m1", "The build is slow because of the resolver, as far as I have read."),
  used("m1", 48_000, 41_000, 210),
  done(nothing, { is: "incomplete_read" }),
];

/** The user stopped one read; the turn went on, and another read with it. */
export const stoppedOne: readonly EventKind[] = [
  started(0, "Read the log and auth.rs"),
  ...page("c1", log),
  stands(1, log, [[0, 2000]], { sourceEnd: 2105, missing: [[2000, 2105]] }),
  ...page("c2", source),
  stands(2, source, [[0, 400]], { sourceEnd: 1164, missing: [[400, 1164]] }),
  stands(3, log, [[0, 2000]], {
    sourceEnd: 2105,
    missing: [[2000, 2105]],
    state: "cancelled",
    active: false,
  }),
];

/** The same, when the turn has ended. */
export const stoppedAndDone: readonly EventKind[] = [
  ...stoppedOne,
  stands(4, source, [[0, 1164]], { sourceEnd: 1164, ...whole }),
  said("m1", "In `src/auth.rs` the token is checked twice."),
  used("m1", 30_000, 26_000, 180),
  done({ ...nothing, readsStopped: [{ path: log, missing: [[2000, 2105]] }] }),
];

/** Past turns, and one that reads a file in a hundred pages, pauses, and reads two others. */
export function manyPages(session: SessionId, at: number): readonly SessionEvent[] {
  const { events, add } = newLog(session, at);
  for (let turn = 0; turn < 12; turn += 1) {
    add(turn, started(turn, `Explain part ${turn + 1}`), ...page(`p${turn}`, source));
    add(turn, said(`m${turn}`, "It matches the path. ".repeat(20)), done(receipt(turn, [])));
  }
  add(12, started(12, "Read the whole dump"), ...page("c0", dump));
  for (let seq = 1; seq <= 101; seq += 1) {
    const end = seq * 250;
    add(12, stands(seq, dump, [[0, end]], { missing: [[end, 63_412]], sourceEnd: 63_412 }));
  }
  add(12, paused(102, "page_budget"));
  for (let seq = 103; seq <= 152; seq += 1) {
    add(12, stands(seq, seq % 2 === 0 ? log : source, [[0, seq * 10]]));
  }
  add(12, stands(153, source, [[0, 1530]], { sourceEnd: 1530, ...whole }));
  return events;
}
