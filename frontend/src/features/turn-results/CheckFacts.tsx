// The facts about one check: a sign with a word, and what it came to.

import { Check, CircleDashed, Clock, Square, X } from "lucide-react";
import { Hidden } from "../../components/Hidden.tsx";
import { useLocale } from "../../locale/index.ts";
import type { CheckRow } from "../../state/checks.ts";
import css from "./CheckFacts.module.css";

export type CheckState = CheckRow["state"];

const signs = {
  passed: Check,
  failed: X,
  interrupted: Square,
  stale: Clock,
  unknown: CircleDashed,
};

/** The sign in front of a check. */
export function CheckSign({ state }: { state: CheckState }) {
  const { t } = useLocale();
  const Sign = signs[state];
  return (
    <span className={`${css.sign} ${css[state]}`} title={t(`checks.row.${state}`)}>
      <Sign
        size={12}
        strokeWidth={2.5}
        fill={state === "interrupted" ? "currentColor" : "none"}
        aria-hidden="true"
      />
      <Hidden>{t(`checks.row.${state}`)} </Hidden>
    </span>
  );
}

/** `exit 0 · 4.2s · masked`. What weakens the status is said beside it (CK-4, CH-2). */
export function CheckOutcome({ check }: { check: CheckRow }) {
  const { t, format } = useLocale();
  const { state, exitCode, durationMs } = check;
  const parts: string[] = [];
  if (state === "interrupted") parts.push(t("checks.row.interrupted"));
  else if (state === "stale") parts.push(t("checks.row.stale"));
  else
    parts.push(exitCode === undefined ? t("checks.noExit") : t("checks.exit", { code: exitCode }));
  if (durationMs !== undefined && state !== "stale") parts.push(format.duration(durationMs));
  if (state === "failed" && check.stale) parts.push(t("checks.row.stale"));
  if (check.kind === "unclassified") parts.push(t("checks.unclassified"));
  for (const it of check.qualifiers) parts.push(t(`checks.qualifier.${it}`));
  return <span className={state === "passed" ? css.quiet : css[state]}>{parts.join(" · ")}</span>;
}
