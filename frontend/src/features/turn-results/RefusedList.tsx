// The writes that did not happen: the file, why, and what works now (DG-2).

import { PathText } from "../../components/PathText.tsx";
import { useLocale } from "../../locale/index.ts";
import type { RefusedView } from "../../state/turnResult.ts";
import css from "./TurnResultCard.module.css";

export function RefusedList({ id, refused }: { id: string; refused: readonly RefusedView[] }) {
  const { t } = useLocale();
  return (
    <ul id={id} className={css.refused} aria-label={t("refusal.title")}>
      {refused.map((write) => (
        <li key={write.call}>
          <div className={css.refusedHead}>
            <span className={css.name}>
              <PathText path={write.path} />
            </span>
            <code className={css.code}>{write.word}</code>
          </div>
          {write.code !== undefined && <p>{t(`refusal.${write.code}`)}</p>}
          {write.failure !== undefined && <p>{t(`failure.${write.failure}`)}</p>}
          {write.actions.length > 0 && (
            <p className={css.faint}>
              {t("refusal.recovery")}: {write.actions.map((it) => t(`recovery.${it}`)).join(" · ")}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
