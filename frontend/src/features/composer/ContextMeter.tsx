// How full the model's context is, as far as the provider and the catalogue say.

import { useLocale } from "../../locale/index.ts";
import css from "./Composer.module.css";

export type ContextMeterProps = {
  /** Tokens of the last request and its answer. */
  readonly used: number | undefined;
  /** Tokens that the model takes. */
  readonly window: number | undefined;
};

export function ContextMeter({ used, window }: ContextMeterProps) {
  const { t, format } = useLocale();
  if (used === undefined || window === undefined || window === 0) {
    return (
      <span className={css.context} title={t("composer.contextHintUnknown")}>
        {t("composer.contextUnknown")}
      </span>
    );
  }
  const share = Math.floor(Math.min(used / window, 1) * 100) / 100;
  return (
    <span
      className={css.context}
      title={t("composer.contextHint", {
        used: format.number(used),
        window: format.number(window),
      })}
    >
      {t("composer.contextUsed", { share: format.share(share) })}
    </span>
  );
}
