// All keys on one sheet.

import { Dialog } from "../../components/Dialog.tsx";
import { useLocale } from "../../locale/index.ts";
import css from "./ShortcutSheet.module.css";
import { keysOf } from "./shortcuts.ts";

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { t } = useLocale();
  const or = ` ${t("shortcuts.or")} `;
  const groups = [
    {
      title: t("commands.group.session"),
      rows: [
        [t("shortcuts.send"), "Enter"],
        [t("shortcuts.newline"), "Shift Enter"],
        [t("shortcuts.stop"), keysOf("escape")],
        [t("shortcuts.approve"), ["1 2 3", "← → Enter"].join(or)],
        [t("permission.deny"), ["3", keysOf("escape")].join(or)],
        [t("commands.preset"), "Shift Tab"],
        [t("shortcuts.leaveField"), "Esc Shift Tab"],
        [t("commands.newSession"), keysOf("newSession")],
        [t("commands.openFolder"), keysOf("openFolder")],
        [t("sessions.search"), keysOf("search")],
        [t("shortcuts.history"), "↑ ↓"],
        [t("room.goToSession"), keysOf("session")],
        [t("shortcuts.recent"), keysOf("recent")],
      ],
    },
    {
      title: t("commands.group.view"),
      rows: [
        [t("shortcuts.commands"), [keysOf("commands"), keysOf("palette")].join(or)],
        [t("commands.toggleSidebar"), keysOf("sidebar")],
        [t("commands.toggleInspector"), keysOf("inspector")],
        [t("shortcuts.textSize"), keysOf("zoom")],
        [t("commands.settings"), keysOf("settings")],
        [t("shortcuts.sheet"), keysOf("sheet")],
        [t("shortcuts.closeDialog"), keysOf("escape")],
      ],
    },
  ];
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("shortcuts.title")}
      closeLabel={t("action.close")}
      isText
    >
      {groups.map(({ title, rows }) => (
        <table key={title} className={css.sheet}>
          <caption className={css.title}>{title}</caption>
          <tbody>
            {rows.map(([action, keys]) => (
              <tr key={action}>
                <th scope="row">{action}</th>
                <td>
                  <kbd>{keys}</kbd>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </Dialog>
  );
}
