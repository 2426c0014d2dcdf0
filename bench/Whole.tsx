// The whole window over the sessions of a state. The time stands still, so that two pictures of it
// are the same.

import { useEffect, useMemo } from "react";
import { App } from "../frontend/src/App.tsx";
import type { Preferences } from "../frontend/src/backend/backend.ts";
import { createTexts } from "../frontend/src/locale/index.ts";
import { type Deed, open, type State, type Words } from "./states.ts";

export type WholeProps = {
  readonly state: State;
  readonly theme: Preferences["theme"];
  readonly language: NonNullable<Preferences["language"]>;
};

export function Whole({ state, theme, language }: WholeProps) {
  const { backend, step } = useMemo(() => open(state), [state]);
  const texts = useMemo(() => createTexts(language), [language]);
  useEffect(() => {
    Object.assign(window, { step });
    void doAll(state.deeds ?? [], (key, values) => texts.t(key, values ?? {}));
  }, [state, step, texts]);
  const preferences: Preferences = {
    theme,
    language,
    sidebarOpen: true,
    inspectorOpen: state.inspectorOpen ?? false,
    inspectorWidthPx: 520,
    zoomPercent: 100,
  };
  return <App backend={backend} texts={texts} preferences={preferences} />;
}

/** Does what a person would, and says on the page when that is done. */
async function doAll(deeds: readonly Deed[], t: Words): Promise<void> {
  await found(() => document.querySelector("main"));
  for (const deed of deeds) {
    if ("click" in deed) {
      (await found(() => named(deed.click(t)))).click();
    } else if ("type" in deed) {
      write(await found(() => document.querySelector<HTMLInputElement>("input:focus")), deed.type);
    } else {
      await found(() => document.querySelector("footer"));
      const { key, shift = false } = deed;
      window.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey: true, shiftKey: shift }));
    }
  }
  document.documentElement.dataset.ready = "";
}

/** Writes as a person does: the page is told. */
function write(field: HTMLInputElement, text: string): void {
  field.select();
  document.execCommand("insertText", false, text);
}

const PRESSED = "button:not([disabled]), [role=menuitem]";

/** What can be pressed, by what it says first, or is called. */
function named(name: string): HTMLElement | undefined {
  const buttons = [...document.querySelectorAll<HTMLElement>(PRESSED)];
  const says = (it: HTMLElement) => it.innerText.replaceAll(/\s+/g, " ").trim();
  return buttons.find((it) => says(it).startsWith(name) || it.ariaLabel?.startsWith(name));
}

/** Waits, frame by frame, until something is on the page. */
async function found<Element>(look: () => Element | null | undefined): Promise<Element> {
  for (;;) {
    const it = look();
    if (it !== null && it !== undefined) return it;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}
