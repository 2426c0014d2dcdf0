// What the window asks of the host. `tauri.ts` asks the real one, `replay.ts` plays recordings.

import type {
  About,
  CommandError,
  CopiedSession,
  Decision,
  ErrorKind,
  Feed,
  FilePage,
  Fingerprint,
  HistoryPage,
  KeyPlace,
  MessageBody,
  MessageId,
  OpenedDemo,
  OpenedSession,
  PermissionId,
  Pictures,
  Preferences,
  Preset,
  ProviderSetting,
  ProviderTest,
  ReadId,
  SearchPage,
  Seq,
  SessionId,
  SessionSummary,
  SettingsView,
  ToolCallId,
  ToolDetail,
  TurnId,
  TurnResult,
} from "../bindings.ts";

export type {
  About,
  CatalogView,
  CopiedSession,
  KeyPlace,
  Language,
  MessageBody,
  ModelView,
  OpenedDemo,
  OpenedSession as Opened,
  Preferences,
  ProviderSetting as ProviderChoice,
  ProviderTest,
  SearchHit,
  SearchPage,
  SearchPlace,
  SettingsView,
  Theme,
} from "../bindings.ts";

/** What a check printed. */
export type CheckLog = {
  /** The end of it. */
  readonly text: string;
  readonly shownBytes: number;
  readonly totalBytes: number;
  readonly isCut: boolean;
};

/** Every call may fail with a `BackendError`. */
export interface Backend {
  listSessions(): Promise<SessionSummary[]>;
  /**
   * The sessions in which one text holds every word of `text`: a title, a prompt, an answer, the
   * paths of changed files, a check's command, a status. Parts of words count. The one that changed
   * last comes first; one hit for each session, at most 50, and how many there are.
   */
  search(text: string): Promise<SearchPage>;
  newSession(folder: string, options: SessionOptions): Promise<OpenedSession>;
  /** Opens a session for writing; one that is open already is left as it is. */
  openSession(session: SessionId, options: SessionOptions): Promise<OpenedSession>;
  /**
   * Gives a session another title: one line, at most 60 characters are kept. An empty one gives it
   * back to the first prompt. Answers the session as it is listed now.
   */
  renameSession(session: SessionId, title: string): Promise<SessionSummary>;
  /** Puts a session away, or takes it out again. It can be opened all the same. */
  archiveSession(session: SessionId, archived: boolean): Promise<SessionSummary>;
  /**
   * Moves a session into the trash folder of the data folder; one that is open here is closed
   * first. Kind `turn_running` while a turn of it runs here, `session_busy` while another process
   * writes it.
   */
  deleteSession(session: SessionId): Promise<void>;
  /**
   * Copies a session under a new id, or what can be read of a damaged one, and leaves it as it is.
   * The copy is to be opened by `openSession`.
   */
  copySession(session: SessionId): Promise<CopiedSession>;
  /**
   * Replays what came after `after`, then goes on live. The answer ends it; frames that come
   * later are dropped. `onBroken` is told once if the session can no longer be read.
   */
  follow(
    session: SessionId,
    after: Seq,
    onFrame: (frame: Feed) => void,
    onBroken?: (error: BackendError) => void,
  ): Promise<() => void>;
  /** Whole turns, newest first, before a turn or from the end. */
  history(session: SessionId, before: TurnId | null, count: number): Promise<HistoryPage>;
  prompt(session: SessionId, text: string): Promise<TurnId>;
  /** Stops the running turn; without one it does nothing. */
  interrupt(session: SessionId): Promise<void>;
  /** Ends a read of the running turn, which can complete without it. */
  stopReading(session: SessionId, read: ReadId): Promise<void>;
  answer(session: SessionId, permission: PermissionId, decision: Decision): Promise<void>;
  turnResult(session: SessionId, turn: TurnId): Promise<TurnResult>;
  /** Files of a result past the first `after`. */
  turnChanges(session: SessionId, turn: TurnId, after: number): Promise<FilePage>;
  /** One file's frozen patch, as bytes. */
  patch(session: SessionId, turn: TurnId, path: string): Promise<Uint8Array>;
  /** What can be shown of one file as a picture, before the turn and after it. */
  pictures(session: SessionId, turn: TurnId, path: string): Promise<Pictures>;
  /** The bytes of one of the two. */
  picture(
    session: SessionId,
    turn: TurnId,
    path: string,
    side: keyof Pictures,
  ): Promise<Uint8Array<ArrayBuffer>>;
  /** What a check printed, by both its ids (LG-1). */
  checkLog(
    session: SessionId,
    turn: TurnId,
    call: ToolCallId,
    result: Fingerprint,
  ): Promise<CheckLog>;
  /** The whole text of a message. */
  message(session: SessionId, message: MessageId): Promise<MessageBody>;
  toolDetail(session: SessionId, call: ToolCallId): Promise<ToolDetail>;
  /** Asks the user for a folder; `null` if they chose none. */
  chooseFolder(): Promise<string | null>;
  settings(): Promise<SettingsView>;
  saveProvider(choice: ProviderSetting): Promise<SettingsView>;
  /** Keeps a key and answers where it is kept now (AN-7). A key is never read back. */
  saveKey(provider: string, key: string): Promise<KeyPlace>;
  /** Forgets a kept key. */
  deleteKey(provider: string): Promise<SettingsView>;
  /** What the session may do without asking, from its next turn on. */
  setPreset(session: SessionId, preset: Preset): Promise<void>;
  /** Tries a provider out, with a key that is not kept yet or else with its own. */
  testProvider(choice: ProviderSetting, key?: string): Promise<ProviderTest>;
  /** The model of the turns from now on. */
  setModel(model: string): Promise<SettingsView>;
  startDemo(): Promise<OpenedDemo>;
  /** What to ask in each turn of a demo session, in their order. */
  demoPrompts(): Promise<string[]>;
  /** Opens a page of the web in the user's browser. */
  openLink(url: string): Promise<void>;
  about(): Promise<About>;
  preferences(): Promise<Preferences>;
  savePreferences(preferences: Preferences): Promise<void>;
}

/** What a session may do while it is open here. */
export type SessionOptions = { addDirs: string[]; preset: Preset };

/** A command or question that failed: a kind to branch on and a sentence to show. */
export class BackendError extends Error {
  readonly kind: ErrorKind;

  constructor(error: CommandError) {
    super(error.message);
    this.name = "BackendError";
    this.kind = error.kind;
  }
}
