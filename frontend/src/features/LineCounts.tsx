// How many lines came and went, said in one way wherever it is said.

import { Hidden } from "../components/Hidden.tsx";
import { useLocale } from "../locale/index.ts";
import css from "./LineCounts.module.css";

/** `+30 −12`; a side without lines is left out, unless both are. */
export function LineCounts({ added, removed }: { added: number; removed: number }) {
  const { t, format } = useLocale();
  return (
    <span className={css.count}>
      <Hidden>
        {" "}
        {t("card.added", { count: added })}, {t("card.removed", { count: removed })}
      </Hidden>
      {(added > 0 || removed === 0) && (
        <span className={css.added} aria-hidden="true">
          +{format.number(added)}
        </span>
      )}
      {removed > 0 && (
        <span className={css.removed} aria-hidden="true">
          −{format.number(removed)}
        </span>
      )}
    </span>
  );
}
