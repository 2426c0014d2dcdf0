// The conversation and the panel alone, over the events of one session.

import { useMemo, useState } from "react";
import type { Recorded } from "../frontend/src/backend/replay.ts";
import { replay } from "../frontend/src/backend/replay.ts";
import type { SessionEvent, TurnId } from "../frontend/src/bindings.ts";
import { TurnInspector } from "../frontend/src/app/TurnInspector.tsx";
import type { InspectorTab } from "../frontend/src/features/inspector/Inspector.tsx";
import { Transcript } from "../frontend/src/features/transcript/Transcript.tsx";
import { TurnResultCard } from "../frontend/src/features/turn-results/TurnResultCard.tsx";
import { reduceEvent } from "../frontend/src/state/reduce.ts";
import { emptySession, newestTurn } from "../frontend/src/state/session.ts";
import { turnResultView } from "../frontend/src/state/turnResult.ts";

export type FixtureProps = {
  readonly events: readonly SessionEvent[];
  readonly patches: ReadonlyMap<string, string>;
  /** The panel's, and with `isNarrow` the conversation's too. */
  readonly widthPx: number;
  readonly isNarrow: boolean;
  readonly tab: InspectorTab;
};

type Shown = { turn: TurnId; tab: InspectorTab; path: string | undefined };

/** The panel is always there. */
const nothing = { current: null };

/** What the conversation has on both sides of the card. */
const MARGINS_PX = 40;

export function Fixture({ events, patches, widthPx, isNarrow, tab }: FixtureProps) {
  const { backend, state } = useMemo(() => {
    const recorded: Recorded = { workspace: "/home/you/ledger", events, patches };
    return {
      backend: replay([recorded]).backend,
      state: events.reduce(reduceEvent, emptySession),
    };
  }, [events, patches]);
  const session = state.session ?? "";
  const last = newestTurn(state)?.turn ?? 0;
  const [shown, setShown] = useState<Shown>({ turn: last, tab, path: undefined });
  const turn = state.turns.get(shown.turn);
  const view = turn && turnResultView(turn);
  const main = isNarrow ? { width: widthPx + MARGINS_PX } : { flex: 1, minWidth: 0 };
  return (
    <div style={{ display: "flex", flex: 1, minHeight: 0 }}>
      <main style={{ ...main, display: "flex", flexDirection: "column" }}>
        <header style={{ display: "flex", gap: 10, padding: "8px 20px 0" }}>
          <h1>Evident</h1>
          <h2>{session}</h2>
        </header>
        <Transcript
          session={session}
          state={state}
          more={false}
          older="idle"
          onOlder={() => {}}
          loadDetail={(call) => backend.toolDetail(session, call)}
          loadMessage={(message) => backend.message(session, message)}
          onAction={() => {}}
          onLink={() => {}}
          renderCard={(of) => {
            const card = turnResultView(of);
            return (
              card && (
                <TurnResultCard
                  view={card}
                  onOpenDiff={(path) => setShown({ turn: of.turn, tab: "diff", path })}
                  onOpenChecks={() => setShown({ turn: of.turn, tab: "checks", path: undefined })}
                />
              )
            );
          }}
        />
      </main>
      {view && (
        <TurnInspector
          backend={backend}
          session={session}
          view={view}
          path={shown.path}
          onPath={(path) => setShown({ ...shown, path })}
          tab={shown.tab}
          onTab={(tab) => setShown({ ...shown, tab })}
          onClose={() => {}}
          after={nothing}
          widthPx={widthPx}
          onWidth={() => {}}
        />
      )}
    </div>
  );
}
