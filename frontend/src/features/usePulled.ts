// Asks the host for what is only named so far, and drops an answer that is no longer wanted (UI-9).

import { useEffect, useState } from "react";
import { BackendError } from "../backend/backend.ts";

/** What was asked for, as far as it is here. */
export type Pulled<Value> =
  | { readonly is: "loading" }
  /** It is not there any more, or never was. */
  | { readonly is: "unavailable" }
  | { readonly is: "failed"; readonly error: unknown }
  | { readonly is: "here"; readonly value: Value };

/** The parts of a key: session, result, path. Together they name exactly one thing. */
export type PullKey = readonly (string | number | undefined)[];

/**
 * Returns what `pull` answers for `key`. The key says all that `pull` depends on: while it stays
 * the same nothing is asked again, and an answer for another key is never shown. Without `pull`
 * nothing is asked.
 */
export function usePulled<Value>(
  key: PullKey,
  pull: (() => Promise<Value>) | undefined,
): { readonly pulled: Pulled<Value>; readonly again: () => void } {
  const name = JSON.stringify(key);
  const [attempt, setAttempt] = useState(0);
  const [kept, setKept] = useState<{ name: string; attempt: number; pulled: Pulled<Value> }>();

  const asks = pull !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for `pull`.
  useEffect(() => {
    let wanted = true;
    const keep = (pulled: Pulled<Value>) => {
      if (wanted) setKept({ name, attempt, pulled });
    };
    pull?.().then(
      (value) => keep({ is: "here", value }),
      (error: unknown) => keep(isMissing(error) ? { is: "unavailable" } : { is: "failed", error }),
    );
    return () => {
      wanted = false;
    };
  }, [name, attempt, asks]);

  const isCurrent = kept?.name === name && kept.attempt === attempt;
  return {
    pulled: isCurrent ? kept.pulled : { is: "loading" },
    again: () => setAttempt((it) => it + 1),
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof BackendError && error.kind === "missing";
}
