// A line that opens to its detail. Closed, the detail is not there at all.

import { ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import css from "./Disclosure.module.css";

export type DisclosureProps = {
  /** What the line says; it is the name of the button. */
  summary: ReactNode;
  /** Called only while it is open. */
  children: () => ReactNode;
};

export function Disclosure({ summary, children }: DisclosureProps) {
  const [open, setOpen] = useState(false);
  const panel = useId();
  return (
    <div className={open ? css.open : undefined}>
      <button
        type="button"
        className={css.trigger}
        aria-expanded={open}
        aria-controls={open ? panel : undefined}
        onClick={() => setOpen(!open)}
      >
        <ChevronRight className={css.chevron} size={14} aria-hidden="true" />
        <span className={css.summary}>{summary}</span>
      </button>
      {open && <div id={panel}>{children()}</div>}
    </div>
  );
}
