// Text that is heard and not seen: for words that a sign stands for on screen.

import type { ReactNode } from "react";
import css from "./Hidden.module.css";

export function Hidden({ children }: { children: ReactNode }) {
  return <span className={css.hidden}>{children}</span>;
}
