// The fixture page: the real transcript, reducer, card and panes over recorded events (UI-20).
// `?recording=…&theme=dark&width=280&language=zh&cleaned&without=3` chooses what it shows; `without`
// leaves out the last events, so that the last turn still runs.

import { useState } from "react";
import { createRoot } from "react-dom/client";
import { type Recorded, replay } from "../frontend/src/backend/replay.ts";
import type { SessionEvent, TurnId } from "../frontend/src/bindings.ts";
import { Inspector, type InspectorTab } from "../frontend/src/features/inspector/Inspector.tsx";
import { Transcript } from "../frontend/src/features/transcript/Transcript.tsx";
import { ChecksPane } from "../frontend/src/features/turn-results/ChecksPane.tsx";
import { DiffPane } from "../frontend/src/features/turn-results/DiffPane.tsx";
import { TurnResultCard } from "../frontend/src/features/turn-results/TurnResultCard.tsx";
import {
  createTexts,
  I18nextProvider,
  languages,
  pageLanguage,
} from "../frontend/src/locale/index.ts";
import { reduceEvent } from "../frontend/src/state/reduce.ts";
import { emptySession, newestTurn } from "../frontend/src/state/session.ts";
import { turnResultView } from "../frontend/src/state/turnResult.ts";
import "../frontend/src/styles/index.css";

const logs = import.meta.glob<string>("../tests/fixtures/events/*.jsonl", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Logs carry no patches; these are written for the page. */
const patches = new Map([["a.txt", "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"]]);

const chosen = new URLSearchParams(location.search);
const names = Object.keys(logs).map((path) => path.replace(/^.*\/|\.jsonl$/g, ""));
const name = names.find((it) => it === chosen.get("recording")) ?? "edit_and_check";
const language = languages.find((it) => it === chosen.get("language")) ?? "en";
const widthPx = chosen.get("width") === "280" ? 280 : 410;
const areDetailsCleaned = chosen.has("cleaned");
const without = Number(chosen.get("without") ?? 0);

const all = (logs[`../tests/fixtures/events/${name}.jsonl`] ?? "")
  .split("\n")
  .filter((line) => line !== "")
  .map((line): SessionEvent => JSON.parse(line));
const events = all.slice(0, Math.max(1, all.length - without));
const recorded: Recorded = {
  workspace: "/home/you/ledger",
  events,
  ...(areDetailsCleaned ? {} : { patches }),
};
const { backend } = replay([recorded]);
const state = events.reduce(reduceEvent, emptySession);
const session = state.session ?? "";

type Shown = { turn: TurnId; tab: InspectorTab; path: string | undefined };

function Page() {
  const last = newestTurn(state)?.turn ?? 0;
  const [shown, setShown] = useState<Shown>({ turn: last, tab: "diff", path: undefined });
  const turn = state.turns.get(shown.turn);
  const view = turn && turnResultView(turn);
  return (
    <div style={{ display: "flex", height: "100vh" }}>
      <main style={{ flex: 1, minWidth: 0, display: "flex", flexDirection: "column" }}>
        <Choices />
        <Transcript
          session={session}
          state={state}
          more={false}
          older="idle"
          onOlder={() => {}}
          loadDetail={(call) => backend.toolDetail(session, call)}
          loadMessage={(message) => backend.message(session, message)}
          onAction={() => {}}
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
        <Inspector
          tab={shown.tab}
          onTab={(tab) => setShown({ ...shown, tab })}
          onClose={() => {}}
          widthPx={widthPx}
          onWidth={() => {}}
          label={view.label}
          diff={
            <DiffPane
              backend={backend}
              session={session}
              view={view}
              path={shown.path}
              onPath={(path) => setShown({ ...shown, path })}
            />
          }
          checks={<ChecksPane backend={backend} session={session} view={view} />}
        />
      )}
    </div>
  );
}

/** Each choice is a link, so that a picture can be taken again by its address. */
function Choices() {
  const to = (key: string, value: string) => {
    const next = new URLSearchParams(chosen);
    next.set(key, value);
    return `?${next}`;
  };
  const choices = [
    ...names.map((it) => ["recording", it] as const),
    ...(["light", "dark"] as const).map((it) => ["theme", it] as const),
    ...(["280", "410"] as const).map((it) => ["width", it] as const),
    ...languages.map((it) => ["language", it] as const),
    ["cleaned", ""] as const,
    ["without", "3"] as const,
  ];
  return (
    <nav style={{ display: "flex", flexWrap: "wrap", gap: 10, padding: 8 }}>
      {choices.map(([key, value]) => (
        <a key={key + value} href={to(key, value)}>
          {key === "cleaned" || key === "without" ? key : value}
        </a>
      ))}
    </nav>
  );
}

document.documentElement.lang = pageLanguage(language);
document.documentElement.dataset.theme = chosen.get("theme") ?? "system";
const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
createRoot(root).render(
  <I18nextProvider i18n={createTexts(language)}>
    <Page />
  </I18nextProvider>,
);
