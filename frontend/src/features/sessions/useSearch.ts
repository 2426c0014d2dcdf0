// The search over all sessions: asked a moment after the last letter, and the last question counts.

import { useEffect, useRef, useState } from "react";
import type { Backend, SearchPage } from "../../backend/backend.ts";

export type Search =
  /** Nothing is searched for. */
  | { readonly is: "off" }
  | { readonly is: "asking" }
  | { readonly is: "failed"; readonly error: unknown }
  | { readonly is: "found"; readonly asked: string; readonly page: SearchPage };

/** Between two letters of a word. */
const PAUSE_MS = 150;

/** What was found stays until the next answer; a late one is dropped. `again` asks once more. */
export function useSearch(
  backend: Pick<Backend, "search">,
  text: string,
): { search: Search; again: () => void } {
  const [search, setSearch] = useState<Search>({ is: "off" });
  const [tries, setTries] = useState(0);
  const latest = useRef(backend);
  latest.current = backend;
  const asked = text.trim();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is another question.
  useEffect(() => {
    if (asked === "") {
      setSearch({ is: "off" });
      return;
    }
    setSearch((it) => (it.is === "found" ? it : { is: "asking" }));
    let dropped = false;
    const timer = setTimeout(() => {
      latest.current.search(asked).then(
        (page) => !dropped && setSearch({ is: "found", asked, page }),
        (error: unknown) => !dropped && setSearch({ is: "failed", error }),
      );
    }, PAUSE_MS);
    return () => {
      dropped = true;
      clearTimeout(timer);
    };
  }, [asked, tries]);
  return { search, again: () => setTries((it) => it + 1) };
}
