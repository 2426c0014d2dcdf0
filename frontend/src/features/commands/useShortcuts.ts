// Listens for the keys that hold everywhere.

import { useEffect, useRef } from "react";
import { type Shortcut, shortcutOf } from "./shortcuts.ts";

/** A key that something nearer has taken, or that is part of a composition, is left alone. */
export function useShortcuts(run: (shortcut: Shortcut) => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const target = event.target instanceof Element ? event.target : document.body;
      if (target.closest("[role=menu], [role=dialog]") !== null) return;
      const isTyping = target.closest("input, textarea, select, [contenteditable]") !== null;
      const shortcut = shortcutOf(event, isTyping);
      if (shortcut === undefined) return;
      event.preventDefault();
      latest.current(shortcut);
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);
}
