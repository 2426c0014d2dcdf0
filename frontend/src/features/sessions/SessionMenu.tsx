// What can be done with a session as a whole, behind the dots at the end of its line.

import { Ellipsis } from "lucide-react";
import type { SessionSummary } from "../../bindings.ts";
import { IconButton } from "../../components/Button.tsx";
import { Menu, type MenuAction } from "../../components/Menu.tsx";
import { useLocale } from "../../locale/index.ts";
import css from "./SessionMenu.module.css";
import { isReadable, titleOf } from "./summary.ts";

/** Each is asked for or done by the one who gives it. */
export type SessionActions = {
  readonly onRename: (session: SessionSummary) => void;
  readonly onArchive: (session: SessionSummary) => void;
  readonly onCopy: (session: SessionSummary) => void;
  readonly onDelete: (session: SessionSummary) => void;
};

export function SessionMenu(props: { summary: SessionSummary; actions: SessionActions }) {
  const { summary, actions } = props;
  const { t } = useLocale();
  const label = t("sessions.actions", { title: titleOf(summary, t) });
  const archiveText = t(summary.archived === true ? "sessions.unarchiveIt" : "sessions.archiveIt");
  const action = (id: string, text: string, does: (it: SessionSummary) => void): MenuAction => ({
    id,
    text,
    onChoose: () => does(summary),
  });
  const labels = [
    action("rename", t("sessions.renameIt"), actions.onRename),
    action("archive", archiveText, actions.onArchive),
  ];
  return (
    <span className={css.menu}>
      <Menu
        label={label}
        trigger={
          <IconButton label={label}>
            <Ellipsis size={14} aria-hidden="true" />
          </IconButton>
        }
        actions={[
          ...(isReadable(summary) ? labels : []),
          action("copy", t("sessions.copy"), actions.onCopy),
          action("delete", t("sessions.deleteIt"), actions.onDelete),
        ]}
      />
    </span>
  );
}
