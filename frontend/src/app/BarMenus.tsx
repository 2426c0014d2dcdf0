// The menus at the end of the status bar: the theme and the language.

import type { Preferences, Theme } from "../backend/backend.ts";
import { ChoiceMenu } from "../components/Menu.tsx";
import type { ChangePreferences } from "../features/settings/usePreferences.ts";
import { type Language, languages, useLocale } from "../locale/index.ts";
import css from "./App.module.css";

const themes: readonly Theme[] = ["system", "light", "dark"];

export function BarMenus(props: { preferences: Preferences; onPreferences: ChangePreferences }) {
  const { preferences, onPreferences } = props;
  const { t, language } = useLocale();
  return (
    <>
      <ChoiceMenu
        label={t("bar.theme")}
        value={preferences.theme}
        onValue={(theme) => onPreferences({ theme })}
        options={themes.map((value) => ({ value, text: t(`settings.themes.${value}`) }))}
        trigger={
          <button type="button" className={css.barButton} title={t("bar.theme")}>
            {t(`settings.themes.${preferences.theme}`)}
          </button>
        }
      />
      <ChoiceMenu<Language>
        label={t("bar.language")}
        value={language}
        onValue={(value) => onPreferences({ language: value })}
        options={languages.map((value) => ({ value, text: t(`language.${value}`) }))}
        trigger={
          <button type="button" className={css.barButton} title={t("bar.language")}>
            {language}
          </button>
        }
      />
    </>
  );
}
