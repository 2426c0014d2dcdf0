// The turn whose details are shown: the one that was chosen, else the newest that has ended.

import { useCallback, useRef, useState } from "react";
import type { TurnId } from "../bindings.ts";
import type { InspectorTab } from "../features/inspector/Inspector.tsx";
import type { SessionState, TurnState } from "../state/session.ts";

export type ChosenTurn = {
  readonly turn: TurnState | undefined;
  readonly tab: InspectorTab;
  readonly path: string | undefined;
  readonly show: (turn: TurnId, tab: InspectorTab, path?: string) => void;
  readonly setTab: (tab: InspectorTab) => void;
  readonly setPath: (path: string) => void;
};

type Choice = { readonly turn: TurnId | undefined; readonly path: string | undefined };

/** `onShow` opens the panel. */
export function useChosenTurn(state: SessionState, onShow: () => void): ChosenTurn {
  const [choice, setChoice] = useState<Choice>({ turn: undefined, path: undefined });
  const [tab, setTab] = useState<InspectorTab>("diff");
  const latest = useRef(onShow);
  latest.current = onShow;
  const show = useCallback((turn: TurnId, next: InspectorTab, path?: string) => {
    setChoice({ turn, path });
    setTab(next);
    latest.current();
  }, []);
  const chosen = choice.turn === undefined ? undefined : state.turns.get(choice.turn);
  return {
    turn: chosen ?? newestEnded(state),
    tab,
    path: choice.path,
    show,
    setTab,
    setPath: (path) => setChoice((it) => ({ turn: it.turn ?? newestEnded(state)?.turn, path })),
  };
}

function newestEnded(state: SessionState): TurnState | undefined {
  let newest: TurnState | undefined;
  for (const turn of state.turns.values()) {
    if (turn.end !== undefined && (newest === undefined || turn.turn > newest.turn)) newest = turn;
  }
  return newest;
}
