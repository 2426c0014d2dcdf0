// Text as it is, in a box that scrolls: a stop of the Tab key, so that the keys can scroll it.

import type { ReactNode } from "react";

export type ScrolledTextProps = {
  /** What is heard when it has the focus. */
  readonly label: string;
  readonly look: string | undefined;
  readonly children: ReactNode;
};

export function ScrolledText({ label, look, children }: ScrolledTextProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <pre role="group" aria-label={label} className={look} tabIndex={0}>
      {children}
    </pre>
  );
}
