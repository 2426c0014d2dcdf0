// Which session is on the screen, and the ways to get to another: the list, a folder, the demo.

import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { Backend } from "../backend/backend.ts";
import type { Preset, SessionId, SessionSummary, TurnId } from "../bindings.ts";
import type { LiveSession } from "../features/sessions/liveSession.ts";
import { openSessions } from "../features/sessions/openSessions.ts";
import { isReadable } from "../features/sessions/summary.ts";
import { type SessionList, useSessionList } from "../features/sessions/useSessionList.ts";
import { groupByWorkspace } from "../features/sessions/workspaces.ts";
import type { Sought } from "../features/transcript/useSought.ts";
import { newestTurn } from "../state/session.ts";

export type Rooms = {
  readonly list: SessionList;
  /** In the order of the sidebar, without those that were put away. */
  readonly listed: readonly SessionSummary[];
  /** The session on the screen, as it is listed; missing until the list knows it. */
  readonly summary: SessionSummary | undefined;
  readonly reload: () => void;
  readonly live: ReadonlyMap<SessionId, LiveSession>;
  readonly seen: ReadonlyMap<SessionId, TurnId>;
  readonly current: LiveSession | undefined;
  /** Enters a session, and goes to a turn of it where one is named. */
  readonly enter: (session: SessionId, turn?: TurnId) => void;
  /** The turn of the session on the screen that is still to be gone to. */
  readonly sought: Sought | undefined;
  readonly endSought: () => void;
  /** The others, those first that were on the screen last. */
  readonly recent: readonly SessionSummary[];
  /** Leaves a session that is gone, for the one that was on the screen before it. */
  readonly forget: (session: SessionId) => void;
  /** Tries once more to open the session on the screen. */
  readonly reenter: () => void;
  /** Shows the system's dialog. */
  readonly chooseFolder: () => void;
  /** Rejects if the folder cannot be opened. */
  readonly openPath: (folder: string) => Promise<void>;
  readonly newSession: (folder: string) => void;
  readonly tryDemo: () => void;
  /** The folder of a session that is entered once a provider is chosen. */
  readonly waiting: string | undefined;
  readonly goOn: () => void;
  /** The prompts of the demo's sessions. */
  readonly prompts: ReadonlyMap<SessionId, readonly string[]>;
  readonly isBusy: boolean;
  /** What went wrong with the last way. */
  readonly problem: unknown;
  readonly say: (problem: unknown) => void;
};

const NONE: readonly SessionSummary[] = [];

export function useRooms(backend: Backend, hasProvider: boolean): Rooms {
  const { list, reload } = useSessionList(backend);
  const open = useMemo(() => openSessions(backend, reload), [backend, reload]);
  const live = useSyncExternalStore(open.live.subscribe, open.live.state);
  const seen = useSyncExternalStore(open.seen.subscribe, open.seen.state);
  const [current, setCurrent] = useState<SessionId>();
  const [waiting, setWaiting] = useState<{ folder: string; session: SessionId }>();
  const [prompts, setPrompts] = useState<Rooms["prompts"]>(new Map());
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const all = list.is === "loaded" ? list.sessions : NONE;
  const listed = useMemo(() => {
    const kept = all.filter((it) => it.archived !== true);
    return groupByWorkspace(kept).flatMap((it) => it.sessions);
  }, [all]);
  const summary = all.find((it) => it.session === current);

  useEffect(() => () => open.closeAll(), [open]);

  const isDemo = summary?.isDemo === true;
  useEffect(() => {
    if (current === undefined || !isDemo) return;
    const offer = (all: readonly string[]) => setPrompts((it) => new Map(it).set(current, all));
    backend.demoPrompts().then(offer, setProblem);
  }, [backend, current, isDemo]);

  const [entered, setEntered] = useState<readonly SessionId[]>([]);
  const left = useRef<SessionId>(undefined);
  const [sought, setSought] = useState<Sought>();
  const enter = useCallback(
    (session: SessionId, turn?: TurnId) => {
      if (left.current !== undefined) open.markSeen(left.current);
      left.current = session;
      open.open(session);
      setCurrent(session);
      setEntered((it) => [session, ...it.filter((other) => other !== session)]);
      setSought(turn === undefined ? undefined : { turn });
      setWaiting(undefined);
      setProblem(undefined);
    },
    [open],
  );

  // The window comes back to where it was left: the session that changed last.
  const isFirst = useRef(true);
  useEffect(() => {
    if (list.is !== "loaded" || !isFirst.current) return;
    isFirst.current = false;
    const last = listed.find(isReadable);
    if (last !== undefined) enter(last.session);
  }, [list, listed, enter]);

  const busy = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  const begin = async (folder: string) => {
    const session = unused(folder) ?? (await create(folder));
    if (hasProvider) enter(session);
    else {
      setCurrent(undefined);
      setWaiting({ folder, session });
    }
  };
  // A session without a turn is as new as another one would be.
  const unused = (folder: string) =>
    listed.find((it) => it.workspace === folder && it.turns === 0)?.session;
  const create = async (folder: string) => {
    const preset: Preset = presetOf(current === undefined ? undefined : live.get(current));
    const { session } = await backend.newSession(folder, { addDirs: [], preset });
    reload();
    return session;
  };

  const recent = recentFirst(listed, entered).filter((it) => it.session !== current);
  const forget = (session: SessionId) => {
    open.close(session);
    setEntered((it) => it.filter((other) => other !== session));
    reload();
    if (session !== current) return;
    left.current = undefined;
    const next = recent.find((it) => it.session !== session && isReadable(it));
    if (next === undefined) setCurrent(undefined);
    else enter(next.session);
  };

  return {
    list,
    listed,
    summary,
    reload,
    live,
    seen,
    current: current === undefined ? undefined : live.get(current),
    enter,
    sought,
    endSought: () => setSought(undefined),
    recent,
    forget,
    reenter: () => {
      if (current !== undefined) open.reopen(current);
    },
    chooseFolder: () =>
      void busy(async () => {
        const folder = await backend.chooseFolder();
        if (folder !== null) await begin(folder);
      }),
    openPath: begin,
    newSession: (folder) => void busy(() => begin(folder)),
    tryDemo: () =>
      void busy(async () => {
        const demo = await backend.startDemo();
        setPrompts((it) => new Map(it).set(demo.session, demo.prompts));
        reload();
        enter(demo.session);
      }),
    waiting: waiting?.folder,
    goOn: () => {
      if (waiting !== undefined) enter(waiting.session);
    },
    prompts,
    isBusy,
    problem,
    say: setProblem,
  };
}

/** Those that were never on the screen come last, in the order of the list. */
function recentFirst(
  listed: readonly SessionSummary[],
  entered: readonly SessionId[],
): readonly SessionSummary[] {
  const place = ({ session }: SessionSummary) => {
    const at = entered.indexOf(session);
    return at < 0 ? entered.length : at;
  };
  return listed.toSorted((a, b) => place(a) - place(b));
}

function presetOf(session: LiveSession | undefined): Preset {
  return (session && newestTurn(session.state.state())?.preset) ?? "workspace-write";
}
