// A folder by its path, typed or pasted: a line to write in, and what is wrong with it below.

import { type FormEvent, type Ref, useId, useState } from "react";
import { BackendError } from "../../backend/backend.ts";
import { Button } from "../../components/Button.tsx";
import { useLocale } from "../../locale/index.ts";
import { useFailureText } from "../failureText.ts";
import css from "./FolderField.module.css";
import { isWholePath } from "./folderPath.ts";

export type FolderFieldProps = {
  /** Rejects if the folder cannot be opened; the reason is shown here. */
  readonly onOpen: (path: string) => Promise<void>;
  readonly input?: Ref<HTMLInputElement>;
};

export function FolderField({ onOpen, input }: FolderFieldProps) {
  const { t } = useLocale();
  const failureText = useFailureText();
  const id = useId();
  const [path, setPath] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isOpening, setOpening] = useState(false);
  const typed = path.trim();
  // What the host says of a folder says it all.
  const whyNot = (error: unknown) =>
    error instanceof BackendError && error.kind === "bad_request"
      ? error.message
      : failureText(error);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isOpening) return;
    if (!isWholePath(typed)) {
      setProblem(t(typed === "" ? "folder.empty" : "folder.notWhole"));
      return;
    }
    setOpening(true);
    setProblem(undefined);
    onOpen(typed).then(
      () => setOpening(false),
      (error: unknown) => {
        setOpening(false);
        setProblem(`${t("folder.refused")} ${whyNot(error)}`);
      },
    );
  };

  return (
    <form className={css.form} onSubmit={submit} aria-label={t("folder.byPath")}>
      <label htmlFor={id} className={css.label}>
        {t("folder.path")}
      </label>
      <div className={css.row}>
        <input
          ref={input}
          id={id}
          className={css.input}
          value={path}
          placeholder={t("folder.example")}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          onChange={(event) => {
            setPath(event.target.value);
            setProblem(undefined);
          }}
        />
        <Button look="outline" type="submit">
          {t("folder.open")}
        </Button>
      </div>
      {problem !== undefined && (
        <p id={`${id}-problem`} className={css.problem} role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
