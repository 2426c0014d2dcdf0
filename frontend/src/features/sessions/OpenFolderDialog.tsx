// Asks for a folder: by its path, or by the system's own dialog.

import { useRef } from "react";
import { Button } from "../../components/Button.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { useLocale } from "../../locale/index.ts";
import { FolderField } from "./FolderField.tsx";
import css from "./OpenFolderDialog.module.css";

export type OpenFolderDialogProps = {
  readonly onOpen: (path: string) => Promise<void>;
  /** Shows the system's dialog. */
  readonly onChoose: () => void;
  readonly onClose: () => void;
};

export function OpenFolderDialog({ onOpen, onChoose, onClose }: OpenFolderDialogProps) {
  const { t } = useLocale();
  const input = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("folder.title")}
      closeLabel={t("action.close")}
      initialFocus={input}
      actions={
        <Button
          look="outline"
          onClick={() => {
            onClose();
            onChoose();
          }}
        >
          {t("folder.choose")}
        </Button>
      }
    >
      <div className={css.body}>
        <p className={css.hint}>{t("firstRun.folderHint")}</p>
        <FolderField input={input} onOpen={(path) => onOpen(path).then(onClose)} />
      </div>
    </Dialog>
  );
}
