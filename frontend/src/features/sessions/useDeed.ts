// Something that is asked of the host once, and why it could not be done.

import { useState } from "react";

export type Deed = {
  /** What went wrong the last time; `undefined` if nothing did. */
  readonly problem: unknown;
  /** Does it unless it is being done, and says so when it is done. */
  readonly start: (deed: () => Promise<void>, done: () => void) => void;
};

export function useDeed(): Deed {
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const start: Deed["start"] = (deed, done) => {
    if (isBusy) return;
    setBusy(true);
    deed().then(done, (error: unknown) => {
      setBusy(false);
      setProblem(error);
    });
  };
  return { problem, start };
}
