// The panel at the right: the details of one turn, in tabs. Its width is the user's.

import { Tabs } from "@base-ui/react/tabs";
import { X } from "lucide-react";
import { type ReactNode, type RefObject, useRef } from "react";
import { IconButton } from "../../components/Button.tsx";
import { useFocusHandedOn } from "../../components/useFocusHandedOn.ts";
import { useLocale } from "../../locale/index.ts";
import css from "./Inspector.module.css";
import { WidthHandle } from "./WidthHandle.tsx";

export type InspectorTab = "diff" | "checks";

export type InspectorProps = {
  tab: InspectorTab;
  onTab: (tab: InspectorTab) => void;
  onClose: () => void;
  /** What gets the focus where the panel goes with it. */
  after: RefObject<HTMLElement | null>;
  /** Between the bounds of `width.ts`; the owner keeps it. */
  widthPx: number;
  onWidth: (widthPx: number) => void;
  /** The number of the turn as the screen shows it. */
  label: number;
  /** The panes; only the one that is shown is mounted. */
  diff: ReactNode;
  checks: ReactNode;
};

export function Inspector(props: InspectorProps) {
  const { tab, onTab, onClose, widthPx, onWidth, label, diff, checks } = props;
  const { t } = useLocale();
  const panel = useRef<HTMLElement>(null);
  useFocusHandedOn(panel, props.after);
  return (
    <Tabs.Root
      render={<aside ref={panel} aria-label={t("inspector.title", { turn: label })} />}
      className={css.inspector}
      style={{ width: widthPx }}
      value={tab}
      onValueChange={(value) => {
        if (value === "diff" || value === "checks") onTab(value);
      }}
    >
      <WidthHandle widthPx={widthPx} onWidth={onWidth} label={t("app.resizeInspector")} />
      <div className={css.tabs}>
        <Tabs.List
          className={css.list}
          aria-label={t("inspector.title", { turn: label })}
          activateOnFocus
        >
          <Tabs.Tab className={css.tab} value="diff">
            {t("inspector.diff")}
          </Tabs.Tab>
          <Tabs.Tab className={css.tab} value="checks">
            {t("inspector.checks")}
          </Tabs.Tab>
        </Tabs.List>
        <IconButton label={t("app.hideInspector")} onClick={onClose}>
          <X size={15} aria-hidden="true" />
        </IconButton>
      </div>
      <Tabs.Panel className={css.panel} value="diff">
        {diff}
      </Tabs.Panel>
      <Tabs.Panel className={css.panel} value="checks">
        {checks}
      </Tabs.Panel>
    </Tabs.Root>
  );
}
