// What the window remembers of itself: put on the page at once, and saved behind it.

import type { i18n } from "i18next";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Backend, Preferences } from "../../backend/backend.ts";
import { chooseLanguage, type Language, pageLanguage } from "../../locale/index.ts";

export const firstPreferences: Preferences = {
  theme: "system",
  language: null,
  sidebarOpen: true,
  inspectorOpen: true,
  inspectorWidthPx: 520,
  zoomPercent: 100,
};

/** The language that is meant: the chosen one, or the system's. */
export function languageOf(preferences: Preferences): Language {
  return preferences.language ?? chooseLanguage(navigator.languages);
}

export type ChangePreferences = (change: Partial<Preferences>) => void;

/** `onUnsaved` is told if a change holds only until the window is closed. */
export function usePreferences(
  backend: Backend,
  texts: i18n,
  initial: Preferences,
  onUnsaved: (error: unknown) => void,
): [Preferences, ChangePreferences] {
  const [preferences, setPreferences] = useState(initial);
  const latest = useRef(initial);
  const told = useRef(onUnsaved);
  told.current = onUnsaved;
  const change = useCallback<ChangePreferences>(
    (changes) => {
      latest.current = { ...latest.current, ...changes };
      setPreferences(latest.current);
      backend.savePreferences(latest.current).catch((error: unknown) => told.current(error));
    },
    [backend],
  );

  const language = languageOf(preferences);
  useEffect(() => {
    document.documentElement.lang = pageLanguage(language);
    void texts.changeLanguage(language);
  }, [language, texts]);
  useEffect(() => {
    document.documentElement.dataset.theme = preferences.theme;
  }, [preferences.theme]);
  return [preferences, change];
}
