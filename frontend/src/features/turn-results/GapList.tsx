// Why a result is not complete, in words, with the files and commands that it is about.

import { Contrast } from "lucide-react";
import { Fragment } from "react";
import { PathText } from "../../components/PathText.tsx";
import { type Translate, useLocale } from "../../locale/index.ts";
import type { ReasonView } from "../../state/turnResult.ts";
import css from "./TurnResultCard.module.css";

/** More are counted, not named. */
const SHOWN_SUBJECTS = 3;

export type GapListProps = {
  readonly reasons: readonly ReasonView[];
};

export function GapList({ reasons }: GapListProps) {
  const { t } = useLocale();
  if (reasons.length === 0) return null;
  return (
    <ul className={css.notes} aria-label={t("card.reasonList")}>
      {reasons.map((reason) => (
        <li key={reason.code} className={css.note}>
          <Contrast className={css.noteSign} size={12} aria-hidden="true" />
          <span className={css.noteText}>
            {textOf(reason, t)}
            <Subjects reason={reason} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function textOf({ reason, code, calls }: ReasonView, t: Translate): string {
  if (reason === undefined) return t("gapOther", { code });
  const wasCutOff = calls.some((it) => it.wasCutOff);
  return t(wasCutOff && reason === "bash_side_effect" ? "gapStopped" : `gap.${reason}`);
}

function Subjects({ reason }: { reason: ReasonView }) {
  const { t } = useLocale();
  const titles = reason.calls.map((it) => it.title?.text).filter((it) => it !== undefined);
  // A path says more than the call that it came with.
  const subjects = reason.paths.length > 0 ? reason.paths : [...new Set(titles)];
  const more = subjects.length - SHOWN_SUBJECTS;
  return (
    <>
      {subjects.slice(0, SHOWN_SUBJECTS).map((subject) => (
        <Fragment key={subject}>
          {" "}
          <span className={css.subject}>
            {reason.paths.length > 0 ? (
              <PathText path={subject} />
            ) : (
              <code title={subject}>{subject}</code>
            )}
          </span>
        </Fragment>
      ))}
      {more > 0 && <span className={css.subject}> {t("patch.andMore", { count: more })}</span>}
    </>
  );
}
