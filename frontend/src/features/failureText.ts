// Says what went wrong with a call to the host: our sentence for the kind, and the host's own beside it.

import { BackendError } from "../backend/backend.ts";
import { useLocale } from "../locale/index.ts";

/** Returns the words for an error of any kind. */
export function useFailureText(): (error: unknown) => string {
  const { t } = useLocale();
  return (error) => {
    const kind = error instanceof BackendError ? error.kind : "internal";
    const detail = error instanceof Error ? error.message : "";
    return detail === "" ? t(`error.${kind}`) : `${t(`error.${kind}`)} (${detail})`;
  };
}
