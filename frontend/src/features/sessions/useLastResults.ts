// What the last turn of each listed session came to, asked for one session after the other.

import { useEffect, useRef, useState } from "react";
import type { Backend } from "../../backend/backend.ts";
import type { SessionId, SessionSummary } from "../../bindings.ts";
import { type LastResult, pulledResult } from "./standing.ts";
import { isReadable } from "./summary.ts";

/** More are not asked for: they are far below the fold. */
const MOST = 60;

/** A session whose result is not known has no entry. */
export function useLastResults(
  backend: Backend,
  sessions: readonly SessionSummary[],
): ReadonlyMap<SessionId, LastResult> {
  const [results, setResults] = useState<ReadonlyMap<SessionId, LastResult>>(new Map());
  const asked = useRef(new Map<SessionId, number>());
  useEffect(() => {
    let dropped = false;
    const ask = async () => {
      for (const summary of sessions.slice(0, MOST)) {
        const { session, turns, changedAt } = summary;
        if (dropped) return;
        const isKnown = asked.current.get(session) === changedAt;
        if (isKnown || turns === 0 || !isReadable(summary)) continue;
        // A turn that still runs has no result; neither has one that is not there.
        const turn = await backend.turnResult(session, turns - 1).catch(() => undefined);
        if (dropped) return;
        asked.current.set(session, changedAt);
        const result = turn && pulledResult(turn);
        setResults((it) => {
          const next = new Map(it);
          if (result === undefined) next.delete(session);
          else next.set(session, result);
          return next;
        });
      }
    };
    void ask();
    return () => {
      dropped = true;
    };
  }, [backend, sessions]);
  return results;
}
