// What goes while it has the focus hands it on; else it would be nowhere, and Tab would begin anew.

import { type RefObject, useLayoutEffect } from "react";

/** To be called where `from` is made, so that both go together. */
export function useFocusHandedOn(
  from: RefObject<HTMLElement | null>,
  to: RefObject<HTMLElement | null>,
): void {
  useLayoutEffect(() => {
    const element = from.current;
    return () => {
      if (element?.contains(document.activeElement)) to.current?.focus({ preventScroll: true });
    };
  }, [from, to]);
}
