// The lines under the answer (AN-24): a closed set of facts, never a judgement.

import { Circle, CircleSlash } from "lucide-react";
import type { ResultNote } from "../../bindings.ts";
import { useLocale } from "../../locale/index.ts";
import css from "./TurnResultCard.module.css";

export function ResultNotes(props: { notes: readonly ResultNote[]; denied: number }) {
  const { notes, denied } = props;
  const { t } = useLocale();
  if (notes.length === 0 && denied === 0) return null;
  return (
    <ul className={css.notes}>
      {notes.map((note) => (
        <li key={note.note} className={css.note}>
          <NoteSign note={note} />
          <span className={css.noteText}>
            {note.note === "writes_refused"
              ? t("note.writes_refused", { count: note.count })
              : t(`note.${note.note}`)}
          </span>
        </li>
      ))}
      {denied > 0 && (
        <li className={`${css.note} ${css.neutral}`}>
          <CircleSlash className={css.noteSign} size={12} aria-hidden="true" />
          <span className={css.noteText}>{t("note.calls_denied", { count: denied })}</span>
        </li>
      )}
    </ul>
  );
}

function NoteSign({ note }: { note: ResultNote }) {
  const Sign = note.note === "writes_refused" ? CircleSlash : Circle;
  return <Sign className={css.noteSign} size={12} aria-hidden="true" />;
}
