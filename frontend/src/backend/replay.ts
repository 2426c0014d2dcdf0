// Plays recorded sessions in place of a host: for the fixture page and for tests. It decides
// nothing; what it answers was recorded.

import type {
  CappedText,
  EventKind,
  Feed,
  Pictures,
  SessionEvent,
  SessionId,
  SessionSummary,
  TurnId,
} from "../bindings.ts";
import {
  type Backend,
  BackendError,
  type Preferences,
  type SearchHit,
  type SearchPlace,
  type SettingsView,
} from "./backend.ts";

/** One recorded session. */
export type Recorded = {
  readonly workspace: string;
  readonly events: readonly SessionEvent[];
  /** The turns from this one on are not history yet: each prompt plays the next of them. */
  readonly playedFrom?: TurnId;
  /** It was put away. */
  readonly archived?: boolean;
  /** How many letters a streamed frame has. */
  readonly frameLetters?: number;
  /** The frozen patches, by path; one that is not here reads as unavailable. */
  readonly patches?: ReadonlyMap<string, string>;
  /** What can be shown of files as pictures, by path, and their bytes. */
  readonly pictures?: ReadonlyMap<string, RecordedPictures>;
  /** What checks printed, by their calls; one that is not here reads as unavailable. */
  readonly logs?: ReadonlyMap<string, string>;
};

export type RecordedPictures = {
  readonly said: Pictures;
  readonly bytes: { readonly [Side in keyof Pictures]?: Uint8Array<ArrayBuffer> };
};

export type Replay = {
  readonly backend: Backend;
  /** Plays the next frame of a session's running turn; `false` if there is none. */
  readonly step: (session: SessionId) => boolean;
};

/** A session while it is played. */
type Played = {
  readonly recorded: Recorded;
  readonly stored: SessionEvent[];
  readonly coming: SessionEvent[];
  readonly frames: Feed[];
  readonly watchers: Set<(frame: Feed) => void>;
  /** What was said of it since: another title, the archive. */
  labels: { title?: string; archived?: boolean };
};

/** Letters of a streamed frame, unless the recording says so. */
const FRAME_LETTERS = 12;

/** Files of one page, as of the host. */
const PAGE_FILES = 200;

export function replay(recordings: readonly Recorded[]): Replay {
  const sessions = new Map<SessionId, Played>();
  for (const recorded of recordings) {
    const [first] = recorded.events;
    if (first !== undefined) sessions.set(first.session, begin(recorded));
  }

  const played = (session: SessionId): Played => {
    const it = sessions.get(session);
    if (it === undefined) throw missing(`session ${session}`);
    return it;
  };

  const step = (session: SessionId): boolean => {
    const it = played(session);
    const frame = it.frames.shift();
    if (frame === undefined) return false;
    if (frame.event !== undefined) it.stored.push(frame.event);
    for (const watch of it.watchers) watch(frame);
    return true;
  };

  const opened = async (session: SessionId) => {
    const last = played(session).stored.at(-1)?.seq ?? 0;
    return { session, last };
  };

  const notRecorded = async (): Promise<never> => {
    throw missing("recording of that");
  };

  let preferences: Preferences = {
    theme: "system",
    language: null,
    sidebarOpen: true,
    inspectorOpen: false,
    inspectorWidthPx: 520,
    zoomPercent: 100,
  };

  const backend: Backend = {
    listSessions: async () => [...sessions].map(([id, it]) => summaryOf(id, it)),
    search: async (text) => {
      const words = text.toLowerCase().split(/\s+/).filter(Boolean);
      const all = [...sessions].flatMap(([id, it]) => found(summaryOf(id, it), it, words) ?? []);
      return { hits: all, total: all.length, isPartial: false };
    },
    newSession: notRecorded,
    openSession: opened,
    renameSession: async (session, title) => {
      const it = played(session);
      const { title: _, ...labels } = it.labels;
      it.labels = title.trim() === "" ? labels : { ...labels, title: titleOf(title) };
      return summaryOf(session, it);
    },
    archiveSession: async (session, archived) => {
      const it = played(session);
      it.labels = { ...it.labels, archived };
      return summaryOf(session, it);
    },
    deleteSession: async (session) => {
      played(session);
      sessions.delete(session);
    },
    copySession: notRecorded,
    follow: async (session, after, onFrame) => {
      const it = played(session);
      for (const event of it.stored) if (event.seq > after) onFrame({ event });
      it.watchers.add(onFrame);
      return () => it.watchers.delete(onFrame);
    },
    history: async (session, before, count) => {
      const turns = turnsOf(played(session).stored);
      const older = turns.filter(({ turn }) => before === null || turn < before).reverse();
      return { turns: older.slice(0, count), more: older.length > count };
    },
    prompt: async (session) => {
      const it = played(session);
      const turn = it.coming[0]?.turn;
      if (turn === undefined) throw missing("turn to play");
      while (it.coming[0]?.turn === turn)
        it.frames.push(...framesOf(it.coming.shift(), it.recorded.frameLetters));
      return turn;
    },
    interrupt: async () => undefined,
    stopReading: async () => undefined,
    // The turns to come were recorded with the preset that they have.
    setPreset: async () => undefined,
    answer: async () => undefined,
    turnResult: async (session, turn) => {
      const { outcome, receipt } = endOf(played(session), turn);
      return { turn, outcome, receipt };
    },
    turnChanges: async (session, turn, after) => {
      const changes = endOf(played(session), turn).receipt.diff;
      if (changes === null || changes === undefined) throw missing("list of changes");
      const files = changes.files.slice(after, after + PAGE_FILES);
      return { files, totalFiles: changes.totalFiles };
    },
    patch: async (session, _turn, path) => {
      const patch = played(session).recorded.patches?.get(path);
      if (patch === undefined) throw missing(`patch of ${path}`);
      return new TextEncoder().encode(patch);
    },
    pictures: async (session, _turn, path) => {
      const pictures = played(session).recorded.pictures?.get(path);
      if (pictures === undefined) throw missing(`pictures of ${path}`);
      return pictures.said;
    },
    picture: async (session, _turn, path, side) => {
      const bytes = played(session).recorded.pictures?.get(path)?.bytes[side];
      if (bytes === undefined) throw missing(`picture of ${path}`);
      return bytes;
    },
    checkLog: async (session, _turn, call) => {
      const text = played(session).recorded.logs?.get(call);
      if (text === undefined) throw missing(`log of ${call}`);
      const bytes = new TextEncoder().encode(text).length;
      return { text, shownBytes: bytes, totalBytes: bytes, isCut: false };
    },
    message: async (session, message) => {
      for (const { kind } of played(session).stored) {
        if (kind.type !== "message_committed" || kind.message !== message) continue;
        const reasoning = kind.reasoning ?? null;
        return { text: whole(kind.text), reasoning: reasoning === null ? null : whole(reasoning) };
      }
      throw missing(`message ${message}`);
    },
    toolDetail: async (session, call) => {
      for (const { kind } of played(session).stored) {
        if (kind.type !== "tool_finished" || kind.call !== call) continue;
        // Events do not carry arguments.
        return { call, tool: kind.tool, arguments: "", output: whole(kind.output) };
      }
      throw missing(`call ${call}`);
    },
    chooseFolder: async () => null,
    settings: async () => NOTHING_SET_UP,
    saveProvider: notRecorded,
    saveKey: notRecorded,
    deleteKey: notRecorded,
    testProvider: notRecorded,
    setModel: notRecorded,
    startDemo: notRecorded,
    demoPrompts: async () => [],
    openLink: async () => undefined,
    about: async () => ({ version: "0.0.0", signed: false }),
    preferences: async () => preferences,
    savePreferences: async (chosen) => {
      preferences = chosen;
    },
  };
  return { backend, step };
}

const NOTHING_SET_UP: SettingsView = {
  provider: null,
  key: null,
  saved: true,
  problem: null,
  catalog: [],
  keysGoTo: "file",
  file: "config.toml",
};

function begin(recorded: Recorded): Played {
  const from = recorded.playedFrom ?? Number.POSITIVE_INFINITY;
  return {
    recorded,
    stored: recorded.events.filter((event) => event.turn < from),
    coming: recorded.events.filter((event) => event.turn >= from),
    frames: [],
    watchers: new Set(),
    labels: recorded.archived === true ? { archived: true } : {},
  };
}

/** A message that was recorded whole is streamed in frames before it is committed. */
function framesOf(event: SessionEvent | undefined, each = FRAME_LETTERS): Feed[] {
  if (event === undefined) return [];
  const { session, turn, kind } = event;
  if (kind.type !== "message_committed") return [{ event }];
  const { message } = kind;
  const letters = [...kind.text.text];
  const deltas: Feed[] = [];
  for (let at = 0; at < letters.length; at += each) {
    const text = letters.slice(at, at + each).join("");
    deltas.push({ delta: { session, turn, message, part: deltas.length, text } });
  }
  return [...deltas, { event }];
}

function turnsOf(events: readonly SessionEvent[]): { turn: TurnId; events: SessionEvent[] }[] {
  const turns = new Map<TurnId, SessionEvent[]>();
  for (const event of events) turns.set(event.turn, [...(turns.get(event.turn) ?? []), event]);
  return [...turns].map(([turn, events]) => ({ turn, events }));
}

function endOf(played: Played, turn: TurnId): Extract<EventKind, { type: "turn_done" }> {
  for (const event of played.stored) {
    if (event.turn === turn && event.kind.type === "turn_done") return event.kind;
  }
  throw missing(`result of turn ${turn + 1}`);
}

function summaryOf(session: SessionId, played: Played): SessionSummary {
  const { recorded, stored, coming, labels } = played;
  const prompt = stored.find(({ kind }) => kind.type === "turn_started")?.kind;
  return {
    session,
    title: titleOf(prompt?.type === "turn_started" ? prompt.prompt.text : ""),
    workspace: recorded.workspace,
    createdAt: (stored[0] ?? coming[0])?.at ?? 0,
    changedAt: (stored.at(-1) ?? coming[0])?.at ?? 0,
    turns: turnsOf(stored).length,
    ...labels,
  };
}

/** The newest prompt or answer with all the words; that is all a recording is searched for. */
function found(
  session: SessionSummary,
  { stored }: Played,
  words: readonly string[],
): SearchHit | undefined {
  const hits = stored.flatMap(({ turn, kind }): SearchHit[] => {
    const place = placeOf(kind);
    if (place === undefined || words.length === 0) return [];
    const lower = place.text.toLowerCase();
    if (!words.every((word) => lower.includes(word))) return [];
    const excerpt = place.text.replaceAll(/\s/g, " ").slice(0, 160);
    return [{ session, turn, place: place.is, excerpt, matches: 1 }];
  });
  const newest = hits.at(-1);
  return newest && { ...newest, matches: hits.length };
}

function placeOf(kind: EventKind): { is: SearchPlace; text: string } | undefined {
  if (kind.type === "turn_started") return { is: "prompt", text: kind.prompt.text };
  if (kind.type === "message_committed") return { is: "answer", text: kind.text.text };
  return undefined;
}

function titleOf(text: string): string {
  const line = text.split("\n").find((it) => it.trim() !== "") ?? "";
  return [...line.trim()].slice(0, 60).join("");
}

function whole(text: CappedText): string {
  if (text.totalBytes > new TextEncoder().encode(text.text).length) throw missing("whole text");
  return text.text;
}

function missing(what: string): BackendError {
  return new BackendError({ kind: "missing", message: `there is no ${what}` });
}
