// The fixture page (UI-20): real components over events, each view chosen by its address alone.
//
// `?state=` shows the whole window in a state that the design names. `?scene=` shows the
// conversation and the panel alone in a scenario of the card, and `?recording=` over events that
// Rust recorded. `?load=` shows the whole window under load. With any of them: `theme=dark`, `language=zh`; with the last two also `width=280`,
// `tab=checks`, `cleaned`, and `without=3`, which leaves out the last events.

import { createRoot } from "react-dom/client";
import type { Theme } from "../frontend/src/backend/backend.ts";
import type { Language, SessionEvent } from "../frontend/src/bindings.ts";
import { patch } from "../frontend/src/app/tests/scenes.ts";
import {
  createTexts,
  I18nextProvider,
  languages,
  pageLanguage,
} from "../frontend/src/locale/index.ts";
import "../frontend/src/styles/index.css";
import { Fixture } from "./Fixture.tsx";
import { loads, NOW, scenarios, states } from "./states.ts";
import { Whole } from "./Whole.tsx";

const logs = import.meta.glob<string>("../tests/fixtures/events/*.jsonl", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Logs carry no patches; these are written for the page. */
const patches = new Map([
  ["a.txt", "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"],
  ["src/auth.rs", patch],
  ["packages/core/src/very/deep/folder/of/modules/auth/session.rs", patch],
]);

Date.now = () => NOW * 1000;

const asked = new URLSearchParams(location.search);
const recordings = Object.keys(logs).map((path) => path.replace(/^.*\/|\.jsonl$/g, ""));
const state = states.get(asked.get("state") ?? "") ?? loads.get(asked.get("load") ?? "");
const theme = (["light", "dark", "system"] as const).find((it) => it === asked.get("theme"));
const language =
  languages.find((it) => it === asked.get("language")) ?? state?.language ?? ("en" as const);

function recorded(name: string): SessionEvent[] {
  return (logs[`../tests/fixtures/events/${name}.jsonl`] ?? "")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): SessionEvent => JSON.parse(line));
}

function Page(props: { theme: Theme; language: Language }) {
  if (state !== undefined && state.widthPx === undefined) {
    return <Whole state={state} {...props} />;
  }
  const scene = scenarios.get(asked.get("scene") ?? "");
  const name = recordings.find((it) => it === asked.get("recording")) ?? "edit_and_check";
  const all = state?.recordings[0]?.events ?? scene ?? recorded(name);
  const without = Number(asked.get("without") ?? 0);
  return (
    <I18nextProvider i18n={createTexts(props.language)}>
      <div style={{ display: "flex", flexDirection: "column", height: "100vh" }}>
        {state === undefined && <Choices />}
        <Fixture
          events={all.slice(0, Math.max(1, all.length - without))}
          patches={asked.has("cleaned") ? new Map() : patches}
          widthPx={state?.widthPx ?? (asked.get("width") === "280" ? 280 : 410)}
          isNarrow={state?.widthPx !== undefined}
          tab={asked.get("tab") === "checks" ? "checks" : "diff"}
        />
      </div>
    </I18nextProvider>
  );
}

/** Each choice is a link, so that a picture can be taken again by its address. */
function Choices() {
  const to = (key: string, value: string) => {
    const next = new URLSearchParams(asked);
    next.set(key, value);
    return `?${next}`;
  };
  const choices = [
    ...[...states.keys()].map((it) => ["state", it] as const),
    ...[...scenarios.keys()].map((it) => ["scene", it] as const),
    ...recordings.map((it) => ["recording", it] as const),
    ...(["light", "dark"] as const).map((it) => ["theme", it] as const),
    ...(["280", "410"] as const).map((it) => ["width", it] as const),
    ...languages.map((it) => ["language", it] as const),
    ["cleaned", ""] as const,
    ["without", "3"] as const,
  ];
  return (
    <nav data-choices="" style={{ display: "flex", flexWrap: "wrap", gap: "2px 10px", padding: 8 }}>
      {choices.map(([key, value]) => (
        <a key={key + value} href={to(key, value)}>
          {value === "" || key === "without" ? key : value}
        </a>
      ))}
    </nav>
  );
}

document.documentElement.lang = pageLanguage(language);
document.documentElement.dataset.theme = theme ?? "system";
const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
createRoot(root).render(<Page theme={theme ?? "system"} language={language} />);
if (state === undefined || state.widthPx !== undefined) {
  requestAnimationFrame(() => {
    document.documentElement.dataset.ready = "";
  });
}
