// Opens the whole window over recorded sessions, for tests.

import { configure, render, screen } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { beforeAll } from "vitest";
import { App } from "../../App.tsx";
import type { Backend, Preferences } from "../../backend/backend.ts";
import { giveViewport } from "../../components/testViewport.ts";
import { createTexts } from "../../locale/index.ts";

beforeAll(() => {
  giveViewport();
  // A busy machine is slow; what is waited for is a condition all the same.
  configure({ asyncUtilTimeout: 10_000 });
});

export const preferences: Preferences = {
  theme: "light",
  language: "en",
  sidebarOpen: true,
  inspectorOpen: false,
  inspectorWidthPx: 520,
  zoomPercent: 100,
};

/** Calls of the backend that the window made, by name. */
export type Calls = { readonly name: keyof Backend; readonly args: readonly unknown[] }[];

/** Hands every call on, and writes it down. */
export function listened(backend: Backend): { backend: Backend; calls: Calls } {
  const calls: Calls = [];
  const backendThatTells = new Proxy(backend, {
    get(target, name: keyof Backend) {
      const call: (...args: never[]) => unknown = target[name];
      return (...args: never[]) => {
        calls.push({ name, args });
        return call(...args);
      };
    },
  });
  return { backend: backendThatTells, calls };
}

export function openWindow(backend: Backend, remembered = preferences): UserEvent {
  const texts = createTexts(remembered.language ?? "en");
  render(<App backend={backend} texts={texts} preferences={remembered} />);
  return userEvent.setup();
}

export const message = () => screen.getByRole("textbox", { name: "Message" });
