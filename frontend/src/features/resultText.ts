// The facts of a result as words, for who hears them.

import type { Translate } from "../locale/index.ts";
import type { ChecksView } from "../state/checks.ts";
import type { ChangesView } from "../state/turnResult.ts";

export function changesText(changes: ChangesView, t: Translate): string {
  switch (changes.is) {
    case "unknown":
      return t("card.unknown");
    case "none":
      return t("card.none");
    case "incomplete":
      return t("card.incomplete");
    case "counted": {
      const files = t(changes.partial ? "card.counted" : "card.changed", { count: changes.files });
      return changes.partial ? `${files}, ${t("card.partial")}` : files;
    }
  }
}

export function checksText(checks: ChecksView, t: Translate): string {
  switch (checks.status) {
    case "passed":
    case "failed":
      return t(`checks.status.${checks.status}`, { count: checks.count });
    case "unknown":
      if (checks.count > 0) return t("checks.status.unproven", { count: checks.count });
      return t("checks.status.unknown");
    case "running":
    case "interrupted":
    case "stale":
    case "none":
      return t(`checks.status.${checks.status}`);
  }
}
