// What one turn changed, in one line (UI-4). "Not known", "nothing" and "some" read differently.

import { Chip } from "../../components/Chip.tsx";
import { useLocale } from "../../locale/index.ts";
import type { ChangesView } from "../../state/turnResult.ts";
import { LineCounts } from "../LineCounts.tsx";
import css from "./TurnResultCard.module.css";

export function ChangeSummary({ changes }: { changes: ChangesView }) {
  const { t } = useLocale();
  switch (changes.is) {
    case "unknown":
      return (
        <>
          <span className={css.headline}>
            {t(changes.missing ? "card.missing" : "card.unknown")}
          </span>
          {changes.missing && <span className={css.faint}>{t("card.older")}</span>}
        </>
      );
    case "none":
      return <span className={css.headline}>{t("card.none")}</span>;
    case "incomplete":
      return (
        <>
          <span className={css.headline}>{t("card.incomplete")}</span>
          <Chip tone="warn">{t("card.partial")}</Chip>
        </>
      );
    case "counted": {
      const { files: count, added, removed, partial } = changes;
      return (
        <>
          <span className={css.headline}>
            {t(partial ? "card.counted" : "card.changed", { count })}{" "}
            <LineCounts added={added} removed={removed} />
          </span>
          {partial && <Chip tone="warn">{t("card.partial")}</Chip>}
        </>
      );
    }
  }
}
