// Asks whether a session is to go into the trash folder.

import { useRef } from "react";
import type { SessionSummary } from "../../bindings.ts";
import { Button } from "../../components/Button.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { useLocale } from "../../locale/index.ts";
import { useFailureText } from "../failureText.ts";
import css from "./KeepingDialog.module.css";
import { titleOf } from "./summary.ts";
import { useDeed } from "./useDeed.ts";

export type DeleteDialogProps = {
  readonly summary: SessionSummary;
  /** Rejects if it cannot be deleted; the reason is shown here. */
  readonly onDelete: () => Promise<void>;
  readonly onClose: () => void;
};

export function DeleteDialog({ summary, onDelete, onClose }: DeleteDialogProps) {
  const { t } = useLocale();
  const failureText = useFailureText();
  const cancel = useRef<HTMLButtonElement>(null);
  const { problem, start } = useDeed();
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("sessions.delete")}
      closeLabel={t("action.close")}
      initialFocus={cancel}
      actions={
        <>
          <Button ref={cancel} onClick={onClose}>
            {t("action.cancel")}
          </Button>
          <Button look="outline" onClick={() => start(onDelete, onClose)}>
            {t("sessions.deleteDo")}
          </Button>
        </>
      }
    >
      <div className={css.body}>
        <p>{t("sessions.deleteAsk", { title: titleOf(summary, t) })}</p>
        {problem !== undefined && (
          <p className={css.problem} role="alert">
            {failureText(problem)}
          </p>
        )}
      </div>
    </Dialog>
  );
}
