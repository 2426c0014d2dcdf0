// Asks for another title of a session.

import { type FormEvent, useId, useRef, useState } from "react";
import type { SessionSummary } from "../../bindings.ts";
import { Button } from "../../components/Button.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { useLocale } from "../../locale/index.ts";
import { useFailureText } from "../failureText.ts";
import css from "./KeepingDialog.module.css";
import { useDeed } from "./useDeed.ts";

export type RenameDialogProps = {
  readonly summary: SessionSummary;
  /** Rejects if the title cannot be kept; the reason is shown here. */
  readonly onRename: (title: string) => Promise<void>;
  readonly onClose: () => void;
};

export function RenameDialog({ summary, onRename, onClose }: RenameDialogProps) {
  const { t } = useLocale();
  const failureText = useFailureText();
  const form = useId();
  const input = useRef<HTMLInputElement>(null);
  const [title, setTitle] = useState(summary.title);
  const { problem, start } = useDeed();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start(() => onRename(title), onClose);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("sessions.rename")}
      closeLabel={t("action.close")}
      initialFocus={input}
      actions={
        <>
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button look="filled" type="submit" form={form}>
            {t("sessions.renameDo")}
          </Button>
        </>
      }
    >
      <form id={form} className={css.body} onSubmit={submit}>
        <label htmlFor={`${form}-title`} className={css.label}>
          {t("sessions.renameField")}
        </label>
        <input
          ref={input}
          id={`${form}-title`}
          className={css.input}
          value={title}
          autoComplete="off"
          aria-describedby={`${form}-hint`}
          onChange={(event) => setTitle(event.target.value)}
          onFocus={(event) => event.target.select()}
        />
        <p id={`${form}-hint`} className={css.hint}>
          {t("sessions.renameHint")}
        </p>
        {problem !== undefined && (
          <p className={css.problem} role="alert">
            {failureText(problem)}
          </p>
        )}
      </form>
    </Dialog>
  );
}
