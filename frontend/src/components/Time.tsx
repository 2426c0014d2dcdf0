// A moment: as the page says it, and as a machine reads it.

import type { ReactNode } from "react";

export type TimeProps = {
  /** Seconds since 1970-01-01T00:00:00Z. */
  at: number;
  /** The whole moment, for whoever points at it. */
  title: string;
  children: ReactNode;
};

export function Time({ at, title, children }: TimeProps) {
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={title}>
      {children}
    </time>
  );
}
