// The head of the conversation: its title and folder, the turn, and the panels at both sides.

import { PanelLeft, PanelRight } from "lucide-react";
import type { Preferences } from "../backend/backend.ts";
import type { TurnId } from "../bindings.ts";
import { IconButton } from "../components/Button.tsx";
import { PathText } from "../components/PathText.tsx";
import { keysOf } from "../features/commands/shortcuts.ts";
import type { ChangePreferences } from "../features/settings/usePreferences.ts";
import { useLocale } from "../locale/index.ts";
import css from "./App.module.css";

export type RoomHeadProps = {
  readonly title: string;
  readonly folder: string | undefined;
  readonly turn: TurnId | undefined;
  readonly preferences: Preferences;
  readonly onPreferences: ChangePreferences;
  readonly hasDetails: boolean;
};

export function RoomHead(props: RoomHeadProps) {
  const { title, folder, turn, preferences, onPreferences } = props;
  const { t } = useLocale();
  const { sidebarOpen, inspectorOpen } = preferences;
  return (
    <header className={css.head}>
      <IconButton
        label={`${t(sidebarOpen ? "app.hideSidebar" : "app.showSidebar")} (${keysOf("sidebar")})`}
        aria-expanded={sidebarOpen}
        onClick={() => onPreferences({ sidebarOpen: !sidebarOpen })}
      >
        <PanelLeft size={15} aria-hidden="true" />
      </IconButton>
      <h2 className={css.title} title={title}>
        {title === "" ? t("sessions.untitled") : title}
      </h2>
      <span className={css.folder}>{folder !== undefined && <PathText path={folder} />}</span>
      {turn !== undefined && (
        <span className={css.turn}>{t("transcript.turn", { turn: turn + 1 })}</span>
      )}
      {props.hasDetails && (
        <IconButton
          label={`${t(inspectorOpen ? "app.hideInspector" : "app.showInspector")} (${keysOf("inspector")})`}
          aria-expanded={inspectorOpen}
          onClick={() => onPreferences({ inspectorOpen: !inspectorOpen })}
        >
          <PanelRight size={15} aria-hidden="true" />
        </IconButton>
      )}
    </header>
  );
}
