// The list of sessions: loaded at the start, and again whenever its owner says that it changed.

import { useCallback, useEffect, useRef, useState } from "react";
import type { Backend } from "../../backend/backend.ts";
import type { SessionSummary } from "../../bindings.ts";

export type SessionList =
  | { readonly is: "loading" }
  | { readonly is: "failed"; readonly error: unknown }
  | { readonly is: "loaded"; readonly sessions: readonly SessionSummary[] };

/** A list that was loaded stays on the screen while it is loaded again. */
export function useSessionList(backend: Backend): { list: SessionList; reload: () => void } {
  const [list, setList] = useState<SessionList>({ is: "loading" });
  const asked = useRef(0);
  const reload = useCallback(() => {
    asked.current += 1;
    const mine = asked.current;
    backend.listSessions().then(
      (sessions) => mine === asked.current && setList({ is: "loaded", sessions }),
      (error: unknown) =>
        mine === asked.current &&
        setList((it) => (it.is === "loaded" ? it : { is: "failed", error })),
    );
  }, [backend]);
  useEffect(() => {
    reload();
    window.addEventListener("focus", reload);
    return () => {
      asked.current += 1;
      window.removeEventListener("focus", reload);
    };
  }, [reload]);
  return { list, reload };
}
