// How much the agent may do without asking, and the menu to change it.

import { ChevronDown } from "lucide-react";
import type { Preset } from "../../bindings.ts";
import { ChoiceMenu } from "../../components/Menu.tsx";
import { useLocale } from "../../locale/index.ts";
import css from "./Composer.module.css";

const presets: readonly Preset[] = ["read-only", "workspace-write", "danger-full-access"];

export type PresetSwitchProps = {
  readonly preset: Preset;
  readonly onPreset: (preset: Preset) => void;
};

export function PresetSwitch({ preset, onPreset }: PresetSwitchProps) {
  const { t } = useLocale();
  const look = preset === "danger-full-access" ? `${css.pill} ${css.danger}` : css.pill;
  return (
    <ChoiceMenu
      label={t("composer.preset")}
      value={preset}
      onValue={onPreset}
      options={presets.map((value) => ({
        value,
        text: (
          <>
            {t(`preset.${value}`)}
            <span className={css.explained}>{t(`presetHint.${value}`)}</span>
          </>
        ),
      }))}
      trigger={
        <button
          type="button"
          className={look}
          title={`${t(`preset.${preset}`)}\n${t(`presetHint.${preset}`)}`}
        >
          <span className={css.pillText}>{t(`preset.${preset}`)}</span>
          <ChevronDown size={12} aria-hidden="true" />
        </button>
      }
    />
  );
}
