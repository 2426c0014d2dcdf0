// What the agent may do without asking, in the session on the screen, and how it is chosen.

import { useState } from "react";
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
  onProblem: (error: unknown) => void,
): PresetChoice {
  const [chosen, setChosen] = useState<{ preset: Preset; after: TurnId | undefined }>();
  const isNext = chosen !== undefined && chosen.after === newest?.turn;
  return {
    preset: isNext ? chosen.preset : (newest?.preset ?? "workspace-write"),
    choose: (preset) => {
      setPreset(session, preset).then(() => setChosen({ preset, after: newest?.turn }), onProblem);
    },
  };
}
