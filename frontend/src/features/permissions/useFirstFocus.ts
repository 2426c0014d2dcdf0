// Gives the focus to the first answer, unless it would be taken from somebody who is typing.
// `data-first-focus` on that button shows the ring (base.css) after a click of the mouse too.

import { type RefObject, useLayoutEffect, useRef } from "react";

/** When the card goes, the focus goes back where it was. */
export function useFirstFocus(
  card: RefObject<HTMLElement | null>,
  first: () => HTMLElement | null | undefined,
): void {
  const wanted = useRef(first);
  useLayoutEffect(() => {
    const element = card.current;
    const before = document.activeElement;
    if (!isBusy(before)) wanted.current()?.focus({ preventScroll: true });
    return () => {
      const isInside = element?.contains(document.activeElement) ?? false;
      if (isInside && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [card]);
}

function isBusy(element: Element | null): boolean {
  if (element === null) return false;
  if (element.closest("[role=dialog], [role=menu]") !== null) return true;
  const isField = element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement;
  return isField && element.value !== "";
}
