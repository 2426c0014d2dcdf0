// What the agent may do without asking, in the session on the screen, and how it is chosen.

import { useEffect, useState } from "react";
import type { Backend } from "../backend/backend.ts";
import type { Preset, SessionId, TurnId } from "../bindings.ts";
import type { TurnState } from "../state/session.ts";

export type PresetChoice = {
  readonly preset: Preset;
  readonly choose: (preset: Preset) => void;
};

/** What a turn began with is the truth; a choice is shown from when it was taken until then. */
export function usePreset(
  { setPreset }: Backend,
  session: SessionId,
  newest: TurnState | undefined,
  /** A choice that is made before the session is open waits for that, and is shown meanwhile. */
  isOpen: boolean,
  onProblem: (error: unknown) => void,
): PresetChoice {
  const [chosen, setChosen] = useState<{ preset: Preset; after: TurnId | undefined }>();
  const [waiting, setWaiting] = useState<Preset>();
  const isNext = chosen !== undefined && chosen.after === newest?.turn;
  const take = (preset: Preset) =>
    setPreset(session, preset).then(() => setChosen({ preset, after: newest?.turn }), onProblem);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `take` is made anew with its owner.
  useEffect(() => {
    if (isOpen && waiting !== undefined) void take(waiting).then(() => setWaiting(undefined));
  }, [isOpen, waiting]);
  return {
    preset: waiting ?? (isNext ? chosen.preset : (newest?.preset ?? "workspace-write")),
    choose: (preset) => {
      if (isOpen) void take(preset);
      else setWaiting(preset);
    },
  };
}
