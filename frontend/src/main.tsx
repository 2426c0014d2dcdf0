// Starts the window: the host's backend, what the window remembers, and the page.

// Before React, which looks for it once.
import "./app/ownTasks.ts";

import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import type { Backend } from "./backend/backend.ts";
import { tauriBackend } from "./backend/tauri.ts";
import { firstPreferences, languageOf } from "./features/settings/usePreferences.ts";
import { createTexts } from "./locale/index.ts";
import "./styles/index.css";

async function start(backend: Backend, root: HTMLElement): Promise<void> {
  const preferences = await backend.preferences().catch(() => firstPreferences);
  document.documentElement.dataset.theme = preferences.theme;
  const texts = createTexts(languageOf(preferences));
  createRoot(root).render(<App backend={backend} texts={texts} preferences={preferences} />);
}

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
void start(tauriBackend, root);
