// The bar at the foot: what happens now, what the cache held, what the turn cost.

import type { ReactNode } from "react";
import { useLocale } from "../../locale/index.ts";
import { isChecking } from "../../state/checks.ts";
import type { TurnState } from "../../state/session.ts";
import { cacheHitRate, usageTotals } from "../../state/usage.ts";
import { useNow } from "../useNow.ts";
import css from "./StatusBar.module.css";

export type StatusBarProps = {
  /** The newest turn of the session on the screen, if it has one. */
  readonly turn: TurnState | undefined;
  /** Said in place of the turn's standing: that the demo runs, that a session is read only. */
  readonly badge?: string | undefined;
  /** The menus for language and theme. */
  readonly children: ReactNode;
};

export function StatusBar({ turn, badge, children }: StatusBarProps) {
  return (
    <footer className={css.bar}>
      <Standing turn={turn} />
      {badge !== undefined && <span className={css.badge}>{badge}</span>}
      {turn !== undefined && <Cost turn={turn} />}
      <span className={css.end}>{children}</span>
    </footer>
  );
}

function Standing({ turn }: { turn: TurnState | undefined }) {
  const { t } = useLocale();
  const stands =
    turn === undefined || turn.end !== undefined ? "idle" : turn.asking ? "asking" : "running";
  return (
    <span className={css.standing}>
      <span className={`${css.dot} ${css[stands]}`} aria-hidden="true" />
      {stands === "running" && turn?.startedAt !== undefined ? (
        <Elapsed since={turn.startedAt} />
      ) : (
        t(`bar.${stands}`)
      )}
      {stands === "running" && turn !== undefined && isChecking(turn) && (
        <> · {t("checks.status.running")}</>
      )}
    </span>
  );
}

function Elapsed({ since }: { since: number }) {
  const { t, format } = useLocale();
  const now = useNow(1000);
  // The clock counts whole seconds: the first one is not nothing.
  const time = format.duration(Math.max(1, now - since) * 1000);
  return <span>{t("transcript.working", { time })}</span>;
}

/** What the provider did not say is said to be unknown. */
function Cost({ turn }: { turn: TurnState }) {
  const { t, format } = useLocale();
  const rate = cacheHitRate(turn.usage);
  const { cacheHitTokens, inputTokens, cacheMissTokens, outputTokens } = usageTotals(turn.usage);
  const counts = [cacheHitTokens, inputTokens, cacheMissTokens, outputTokens];
  const tokens = (count: number | undefined) =>
    count === undefined ? t("bar.unknownTokens") : format.compact(count);
  const facts = counts.every((it) => it === undefined)
    ? [t("room.usageUnknown")]
    : [
        t("room.cached", { tokens: tokens(cacheHitTokens) }),
        t("bar.input", { tokens: tokens(inputTokens) }),
        t("bar.fresh", { tokens: tokens(cacheMissTokens) }),
        t("bar.output", { tokens: tokens(outputTokens) }),
      ];
  return (
    <>
      <span title={t("bar.cacheHint")}>
        {rate === undefined ? t("bar.cacheUnknown") : t("bar.cache", { share: format.share(rate) })}
      </span>
      <span className={css.usage}>{[...facts, t("bar.thisTurn")].join(" · ")}</span>
    </>
  );
}
