// What the agent may do without asking, in the session on the screen, and how it is changed.

import { useState } from "react";
import type { Backend } from "../backend/backend.ts";
import type { Preset, SessionId, TurnId } from "../bindings.ts";
import type { TurnState } from "../state/session.ts";

/** A host that can change the preset of a session while it is open. */
type PresetHost = Backend & {
  readonly setPreset?: (session: SessionId, preset: Preset) => Promise<void>;
};

export type PresetChoice = {
  readonly preset: Preset;
  /** Missing where the host cannot change it; then it holds as long as the session is open. */
  readonly choose: ((preset: Preset) => void) | undefined;
};

/** What a turn began with is the truth; a choice is shown from when it was taken until then. */
export function usePreset(
  host: PresetHost,
  session: SessionId,
  newest: TurnState | undefined,
  onProblem: (error: unknown) => void,
): PresetChoice {
  const [chosen, setChosen] = useState<{ preset: Preset; after: TurnId | undefined }>();
  const { setPreset } = host;
  const isNext = chosen !== undefined && chosen.after === newest?.turn;
  return {
    preset: isNext ? chosen.preset : (newest?.preset ?? "workspace-write"),
    choose:
      setPreset &&
      ((preset) => {
        setPreset(session, preset).then(
          () => setChosen({ preset, after: newest?.turn }),
          onProblem,
        );
      }),
  };
}
