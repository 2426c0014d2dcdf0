// A short word on a coloured ground. The word says it; the colour only repeats it.

import type { ReactNode } from "react";
import css from "./Chip.module.css";

export type Tone = "pass" | "fail" | "warn" | "quiet";

export function Chip({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`${css.chip} ${css[tone]}`}>{children}</span>;
}
