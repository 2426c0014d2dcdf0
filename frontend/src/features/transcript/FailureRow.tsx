// Why a turn failed, with the provider's own words where it said any, and what helps now.

import { CircleAlert } from "lucide-react";
import type { NextAction, TurnFailure } from "../../bindings.ts";
import { Button } from "../../components/Button.tsx";
import { useLocale } from "../../locale/index.ts";
import css from "./FailureRow.module.css";

export function FailureRow({
  failure,
  onAction,
}: {
  failure: TurnFailure;
  onAction: (action: NextAction) => void;
}) {
  const { t, format } = useLocale();
  const wait = failure.retryAfterMs;
  return (
    <section className={css.failure} aria-label={t("transcript.failed")}>
      <CircleAlert size={15} aria-hidden="true" className={css.sign} />
      <div className={css.words}>
        <p className={css.title}>{t(`turnFailure.${failure.code}`)}</p>
        {failure.detail && <p className={css.said}>{failure.detail}</p>}
        {wait !== undefined && wait !== null && (
          <p className={css.said}>
            {t("transcript.waitAndRetry", { time: format.duration(wait) })}
          </p>
        )}
      </div>
      <Action action={failure.action} onAction={onAction} />
    </section>
  );
}

/** What the window can do is a button; what only the user can do is a sentence. */
function Action(props: { action: NextAction; onAction: (action: NextAction) => void }) {
  const { t } = useLocale();
  const { action, onAction } = props;
  switch (action) {
    case "check_key":
    case "check_model":
    case "check_url":
      return (
        <span className={css.actions}>
          <Button look="outline" onClick={() => onAction(action)}>
            {t(`next.${action}`)}
          </Button>
          <Button onClick={() => onAction("retry")}>{t("action.retry")}</Button>
        </span>
      );
    case "retry":
    case "wait_and_retry":
      return (
        <Button look="outline" onClick={() => onAction(action)}>
          {t("action.retry")}
        </Button>
      );
    case "add_credit":
    case "free_disk_space":
    case "report":
      return <p className={css.advice}>{t(`next.${action}`)}</p>;
  }
}
