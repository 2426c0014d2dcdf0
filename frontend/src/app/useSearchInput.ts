// The field that searches the sessions, and the way to it where the sidebar is closed.

import { useCallback, useRef } from "react";

export type SearchInput = {
  /** Gets the field. */
  readonly input: (field: HTMLInputElement | null) => void;
  readonly field: () => HTMLInputElement | null;
  readonly go: () => void;
};

/** `open` opens the sidebar; the field gets the focus once it is there. */
export function useSearchInput(open: () => void): SearchInput {
  const field = useRef<HTMLInputElement>(null);
  const isWanted = useRef(false);
  const input = useCallback((element: HTMLInputElement | null) => {
    field.current = element;
    if (element === null || !isWanted.current) return;
    isWanted.current = false;
    element.focus();
  }, []);
  const go = () => {
    isWanted.current = field.current === null;
    if (isWanted.current) return open();
    field.current?.focus();
    field.current?.select();
  };
  return { input, field: () => field.current, go };
}
