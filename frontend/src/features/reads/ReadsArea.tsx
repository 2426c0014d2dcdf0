// The reads that go on or paused, below the conversation, so that no page of one moves it (RS-7).

import type { RefObject } from "react";
import type { ReadId } from "../../bindings.ts";
import { useLocale } from "../../locale/index.ts";
import { type ReadRow, shownReads } from "../../state/readStatus.ts";
import { ReadLine } from "./ReadLine.tsx";
import css from "./ReadsArea.module.css";

export type ReadsAreaProps = {
  /** Those of the newest turn. */
  readonly reads: readonly ReadRow[];
  readonly isRunning: boolean;
  readonly onStop: (read: ReadId) => Promise<void>;
  /** Writes what is to be sent. Missing where nothing can be sent. */
  readonly onGoOn: ((message: string) => void) | undefined;
  /** What gets the focus when a button goes that had it. */
  readonly after: RefObject<HTMLElement | null>;
};

export function ReadsArea({ reads, isRunning, ...rest }: ReadsAreaProps) {
  const { t } = useLocale();
  const shown = shownReads(reads, isRunning);
  if (shown.length === 0) return null;
  return (
    <section className={css.area} aria-label={t("reads.title")}>
      <ul className={css.list}>
        {shown.map((read) => (
          <ReadLine key={read.row.readId} read={read} isRunning={isRunning} {...rest} />
        ))}
      </ul>
    </section>
  );
}
