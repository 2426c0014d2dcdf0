// What was to be read and was not: a file that did not come to its end, and reads that the user
// stopped, which is no warning.

import { BookOpen, Square } from "lucide-react";
import type { StoppedRead, TurnOutcome } from "../../bindings.ts";
import { PathText } from "../../components/PathText.tsx";
import { useLocale } from "../../locale/index.ts";
import { missingText } from "../readText.ts";
import css from "./TurnResultCard.module.css";

export type ReadListProps = {
  readonly outcome: TurnOutcome;
  readonly stopped: readonly StoppedRead[];
};

export function ReadList({ outcome, stopped }: ReadListProps) {
  const { t, format } = useLocale();
  const isIncomplete = outcome.is === "incomplete_read";
  if (!isIncomplete && stopped.length === 0) return null;
  return (
    <ul className={css.notes} aria-label={t("card.readList")}>
      {isIncomplete && (
        <li className={css.note}>
          <BookOpen className={css.noteOutline} size={12} aria-hidden="true" />
          <span className={css.noteText}>{t("card.incompleteReadHint")}</span>
        </li>
      )}
      {stopped.map(({ path, missing }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a frozen list, in which a path may come twice.
        <li key={index} className={`${css.note} ${css.neutral}`}>
          <Square className={css.noteOutline} size={12} aria-hidden="true" />
          <span className={css.noteText}>
            {t("card.readStopped")}{" "}
            <span className={css.subject}>
              <PathText path={path} />
            </span>
            {missing.length > 0 && ` · ${missingText(missing, t, format)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
