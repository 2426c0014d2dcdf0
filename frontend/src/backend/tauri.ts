// Asks the host in the same program: one command for each question, one channel for each feed.

import { Channel, invoke } from "@tauri-apps/api/core";
import { type CommandError, commands, type ErrorKind, type Feed } from "../bindings.ts";
import { isRecord, isWord } from "../state/shape.ts";
import { type Backend, BackendError, type CheckLog } from "./backend.ts";

/** The host that this window belongs to. */
export const tauriBackend: Backend = {
  listSessions: () => said(commands.listSessions()),
  search: (text) => said(commands.search(text)),
  newSession: (folder, { addDirs, preset }) => said(commands.newSession(folder, addDirs, preset)),
  openSession: (session, { addDirs, preset }) =>
    said(commands.openSession(session, addDirs, preset)),
  renameSession: (session, title) => said(commands.renameSession(session, title)),
  archiveSession: (session, archived) => said(commands.archiveSession(session, archived)),
  deleteSession: async (session) => {
    await said(commands.deleteSession(session));
  },
  copySession: (session) => said(commands.copySession(session)),
  follow: async (session, after, onFrame, onBroken) => {
    let isOver = false;
    const frames = new Channel<Feed>((frame) => {
      if (!isOver) onFrame(frame);
    });
    const broke = new Channel<CommandError>((error) => {
      if (!isOver) onBroken?.(new BackendError(error));
    });
    const feed = await said(commands.follow(session, after, frames, broke));
    return () => {
      if (isOver) return;
      isOver = true;
      // It may have ended with its session; then there is nothing left to end.
      commands.unfollow(feed).catch(() => undefined);
    };
  },
  history: (session, before, count) => said(commands.history(session, before, count)),
  prompt: (session, text) => said(commands.prompt(session, text)),
  interrupt: async (session) => {
    await said(commands.interrupt(session));
  },
  stopReading: async (session, read) => {
    await said(commands.stopReading(session, read));
  },
  answer: async (session, permission, decision) => {
    await said(commands.answer(session, permission, decision));
  },
  setPreset: async (session, preset) => {
    await said(commands.setPreset(session, preset));
  },
  turnResult: (session, turn) => said(commands.turnResult(session, turn)),
  turnChanges: (session, turn, after) => said(commands.turnChanges(session, turn, after)),
  // Bytes are no typed command.
  patch: async (session, turn, path) =>
    new Uint8Array(await heard(invoke<ArrayBuffer>("patch", { session, turn, path }))),
  pictures: (session, turn, path) => said(commands.pictures(session, turn, path)),
  picture: async (session, turn, path, side) =>
    new Uint8Array(await heard(invoke<ArrayBuffer>("picture", { session, turn, path, side }))),
  checkLog: async (session, turn, call, result) =>
    logOf(await heard(invoke<ArrayBuffer>("check_log", { session, turn, call, result }))),
  message: (session, message) => said(commands.message(session, message)),
  toolDetail: (session, call) => said(commands.toolDetail(session, call)),
  chooseFolder: () => said(commands.chooseFolder()),
  settings: () => said(commands.settings()),
  saveProvider: (setting) => said(commands.saveProvider(setting)),
  saveKey: (provider, key) => said(commands.saveKey(provider, key)),
  deleteKey: (provider) => said(commands.deleteKey(provider)),
  testProvider: (setting, key) => said(commands.testProvider(setting, key ?? null)),
  setModel: (model) => said(commands.setModel(model)),
  startDemo: () => said(commands.startDemo()),
  demoPrompts: () => heard(commands.demoPrompts()),
  openLink: async (url) => {
    await said(commands.openLink(url));
  },
  about: () => heard(commands.about()),
  preferences: () => heard(commands.preferences()),
  savePreferences: async (preferences) => {
    await said(commands.savePreferences(preferences));
  },
};

/** What a typed command answers. */
type Said<Value> = { status: "ok"; data: Value } | { status: "error"; error: unknown };

async function said<Value>(answer: Promise<Said<Value>>): Promise<Value> {
  const result = await heard(answer);
  if (result.status === "ok") return result.data;
  throw new BackendError(readError(result.error));
}

async function heard<Value>(answer: Promise<Value>): Promise<Value> {
  try {
    return await answer;
  } catch (error) {
    throw new BackendError(readError(error));
  }
}

/** What Tauri itself says comes as a sentence and has no kind. */
function readError(error: unknown): CommandError {
  if (error instanceof Error) return { kind: "internal", message: error.message };
  if (typeof error === "string") return { kind: "internal", message: error };
  if (isRecord(error) && isWord(ERROR_KINDS, error.kind) && typeof error.message === "string") {
    return { kind: error.kind, message: error.message };
  }
  return { kind: "internal", message: JSON.stringify(error) };
}

const ERROR_KINDS: Record<ErrorKind, true> = {
  unknown_command: true,
  bad_request: true,
  missing: true,
  turn_running: true,
  session_busy: true,
  session_not_writable: true,
  session_damaged: true,
  session_unreadable: true,
  not_pending: true,
  no_provider: true,
  internal: true,
};

/** Eight bytes of how much there was in all, little-endian, and the end of it. */
function logOf(bytes: ArrayBuffer): CheckLog {
  const totalBytes = Number(new DataView(bytes).getBigUint64(0, true));
  const shownBytes = bytes.byteLength - 8;
  const text = new TextDecoder().decode(new Uint8Array(bytes, 8));
  return { text, shownBytes, totalBytes, isCut: shownBytes < totalBytes };
}
