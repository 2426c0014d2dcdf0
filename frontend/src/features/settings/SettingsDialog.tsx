// The settings: the provider and its key, the theme, the language.

import { type ReactNode, type Ref, useEffect, useRef, useState } from "react";
import type { About, Backend, Preferences, Theme } from "../../backend/backend.ts";
import { Button } from "../../components/Button.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { type Language, languages, useLocale } from "../../locale/index.ts";
import { useFailureText } from "../failureText.ts";
import { PillChoice } from "./PillChoice.tsx";
import { ProviderForm } from "./ProviderForm.tsx";
import css from "./SettingsDialog.module.css";
import type { ChangePreferences } from "./usePreferences.ts";
import type { SettingsActions, SettingsState } from "./useSettings.ts";

export type SettingsDialogProps = {
  readonly settings: SettingsState;
  readonly actions: SettingsActions;
  readonly preferences: Preferences;
  readonly onPreferences: ChangePreferences;
  readonly about: Backend["about"];
  /** The provider that is shown first, if not the one in use. */
  readonly startWith?: string | undefined;
  readonly onClose: () => void;
};

const themes: readonly Theme[] = ["system", "light", "dark"];

export function SettingsDialog(props: SettingsDialogProps) {
  const { preferences, onPreferences } = props;
  const { t } = useLocale();
  const chosen = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && props.onClose()}
      title={t("settings.title")}
      closeLabel={t("action.close")}
      width="wide"
      initialFocus={chosen}
    >
      <Part title={t("settings.provider")}>
        <Provider {...props} chosen={chosen} />
      </Part>
      <Part title={t("settings.appearance")}>
        <PillChoice
          label={t("settings.theme")}
          options={themes.map((value) => ({ value, text: t(`settings.themes.${value}`) }))}
          value={preferences.theme}
          onValue={(theme) => onPreferences({ theme })}
        />
        <PillChoice<Language | "system">
          label={t("settings.language")}
          options={[
            { value: "system", text: t("settings.languageSystem") },
            ...languages.map((value) => ({ value, text: t(`language.${value}`) })),
          ]}
          value={preferences.language ?? "system"}
          onValue={(value) => onPreferences({ language: value === "system" ? null : value })}
        />
      </Part>
      <Part title={t("settings.about")}>
        <AboutText about={props.about} />
        {props.settings.is === "loaded" && (
          <p className={css.file}>
            {t("room.settingsFile")} <code>{props.settings.view.file}</code>
          </p>
        )}
      </Part>
    </Dialog>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.part} aria-label={title}>
      <h3 className={css.title}>{title}</h3>
      {children}
    </section>
  );
}

/** What this program is (PK-1, PK-2); nothing while that is not known. */
function AboutText({ about }: { about: Backend["about"] }) {
  const { t } = useLocale();
  const [known, setKnown] = useState<About>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the same as long as the window lives.
  useEffect(() => {
    let dropped = false;
    about().then(
      (it) => !dropped && setKnown(it),
      () => {},
    );
    return () => {
      dropped = true;
    };
  }, []);
  if (known === undefined) return null;
  return (
    <p>
      {t("app.name")} · {t("settings.version", { version: known.version })}
      {!known.signed && ` · ${t("room.unsigned")}`}
    </p>
  );
}

function Provider({
  settings,
  actions,
  startWith,
  chosen,
}: SettingsDialogProps & { chosen: Ref<HTMLInputElement> }) {
  const { t } = useLocale();
  const failureText = useFailureText();
  switch (settings.is) {
    case "loading":
      return <p role="status">{t("settings.loading")}</p>;
    case "failed":
      return (
        <div className={css.failed} role="alert">
          <p>{t("settings.failed")}</p>
          <p>{failureText(settings.error)}</p>
          <Button look="outline" onClick={actions.reload}>
            {t("action.reload")}
          </Button>
        </div>
      );
    case "loaded":
      return (
        <ProviderForm
          view={settings.view}
          actions={actions}
          startWith={startWith}
          onSaved={() => {}}
          chosen={chosen}
        />
      );
  }
}
