// The lines under the answer (AN-24): a closed set of facts, never a judgement.

import { Circle } from "lucide-react";
import type { ResultNote } from "../../bindings.ts";
import { useLocale } from "../../locale/index.ts";
import css from "./TurnResultCard.module.css";

/** The notes that the card's summary does not say: refused writes are counted there. */
export function ResultNotes({ notes }: { notes: readonly PlainNote[] }) {
  const { t } = useLocale();
  if (notes.length === 0) return null;
  return (
    <ul className={css.notes}>
      {notes.map(({ note }) => (
        <li key={note} className={css.note}>
          <Circle className={css.noteSign} size={12} aria-hidden="true" />
          <span className={css.noteText}>{t(`note.${note}`)}</span>
        </li>
      ))}
    </ul>
  );
}

export type PlainNote = Exclude<ResultNote, { note: "writes_refused" }>;
