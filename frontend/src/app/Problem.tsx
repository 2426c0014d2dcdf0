// A strip over the page for what went wrong and has no better place.

import { X } from "lucide-react";
import { IconButton } from "../components/Button.tsx";
import { useFailureText } from "../features/failureText.ts";
import { useLocale } from "../locale/index.ts";
import css from "./App.module.css";

export function Problem({ error, onDismiss }: { error: unknown; onDismiss: () => void }) {
  const { t } = useLocale();
  const failureText = useFailureText();
  if (error === undefined) return null;
  return (
    <div className={css.problem} role="alert">
      <p>{failureText(error)}</p>
      <IconButton label={t("action.dismiss")} onClick={onDismiss}>
        <X size={14} aria-hidden="true" />
      </IconButton>
    </div>
  );
}
