// The pages of the command menu: what can be done in the window now.

import type { Preferences, SettingsView } from "../backend/backend.ts";
import type { SessionSummary } from "../bindings.ts";
import type { Command, CommandPage } from "../features/commands/commandPage.ts";
import { keysOf, type ZoomStep } from "../features/commands/shortcuts.ts";
import type { SessionActions } from "../features/sessions/SessionMenu.tsx";
import type { ChangePreferences } from "../features/settings/usePreferences.ts";
import { type Format, languages, type Translate } from "../locale/index.ts";
import type { SearchInput } from "./useSearchInput.ts";

/** What a page is made of. What is missing cannot be done now, and is not listed. */
export type CommandParts = {
  readonly t: Translate;
  readonly format: Format;
  readonly settings: SettingsView | undefined;
  readonly preferences: Preferences;
  readonly onPreferences: ChangePreferences;
  /** A change of the model costs the cache of what was said so far (CF-3). */
  readonly hasTurns: boolean;
  readonly onModel: (model: string) => void;
  readonly onSettings: (provider?: string) => void;
  readonly onShortcuts: () => void;
  readonly onOpenFolder: () => void;
  readonly onNewSession: () => void;
  readonly search: SearchInput;
  /** The session on the screen. */
  readonly current: SessionSummary | undefined;
  readonly actions: SessionActions;
  readonly onDemo: () => void;
  readonly onStop: (() => void) | undefined;
  readonly onInspector: (() => void) | undefined;
  readonly onComposer: (() => void) | undefined;
  readonly sessions: readonly { readonly title: string; readonly folder: string }[];
  readonly onSession: (index: number) => void;
  /** The other sessions that were on the screen, the last one first. */
  readonly recent: readonly {
    readonly title: string;
    readonly folder: string;
    readonly enter: () => void;
  }[];
  readonly onZoom: (by: ZoomStep) => void;
};

export function mainPage(parts: CommandParts): CommandPage {
  const { t } = parts;
  return {
    title: t("commands.title"),
    placeholder: t("commands.search"),
    commands: [
      ...sessionCommands(parts).map((it) => ({ ...it, group: t("commands.group.session") })),
      ...viewCommands(parts).map((it) => ({ ...it, group: t("commands.group.view") })),
      ...settingCommands(parts).map((it) => ({ ...it, group: t("commands.group.settings") })),
      ...parts.sessions.map(({ title, folder }, index) => ({
        ...run(`session-${index}`, title, () => parts.onSession(index), folder),
        group: t("sessions.title"),
      })),
    ],
  };
}

function sessionCommands(parts: CommandParts): Command[] {
  const { t, onStop, onComposer, search } = parts;
  return [
    run("new", t("commands.newSession"), parts.onNewSession, keysOf("newSession")),
    run("folder", t("commands.openFolder"), parts.onOpenFolder, keysOf("openFolder")),
    ...(onStop ? [run("stop", t("commands.stop"), onStop, keysOf("escape"))] : []),
    ...(onComposer ? [run("composer", t("commands.focusComposer"), onComposer)] : []),
    {
      ...run("search", t("sessions.search"), search.go, keysOf("search")),
      landsOn: search.field,
    },
    ...keepingCommands(parts),
    run("demo", t("commands.demo"), parts.onDemo),
  ];
}

/** What can be done with the session on the screen as a whole. */
function keepingCommands({ t, current, actions }: CommandParts): Command[] {
  if (current === undefined) return [];
  const put = t(current.archived === true ? "sessions.unarchive" : "sessions.archive");
  return [
    run("rename", t("sessions.rename"), () => actions.onRename(current)),
    run("archive", put, () => actions.onArchive(current)),
    run("copy", t("sessions.copy"), () => actions.onCopy(current)),
    run("delete", t("sessions.delete"), () => actions.onDelete(current)),
  ];
}

function viewCommands(parts: CommandParts): Command[] {
  const { t, preferences, onPreferences, onInspector } = parts;
  const toggle = () => onPreferences({ sidebarOpen: !preferences.sidebarOpen });
  return [
    run("sidebar", t("commands.toggleSidebar"), toggle, keysOf("sidebar")),
    ...(onInspector
      ? [run("inspector", t("commands.toggleInspector"), onInspector, keysOf("inspector"))]
      : []),
    open("theme", t("commands.theme"), () => themePage(parts)),
    open("language", t("commands.language"), () => languagePage(parts)),
    run("larger", t("commands.larger"), () => parts.onZoom(1), keysOf("zoom")),
    run("smaller", t("commands.smaller"), () => parts.onZoom(-1)),
    run("usual", t("commands.usualSize"), () => parts.onZoom(0)),
    run("shortcuts", t("commands.shortcuts"), parts.onShortcuts, keysOf("sheet")),
  ];
}

function settingCommands(parts: CommandParts): Command[] {
  const { t } = parts;
  return [
    open("model", t("commands.model"), () => modelPage(parts)),
    open("provider", t("commands.provider"), () => providerPage(parts)),
    run("settings", t("commands.settings"), () => parts.onSettings(), keysOf("settings")),
  ];
}

export function modelPage({ t, format, settings, hasTurns, onModel }: CommandParts): CommandPage {
  const entry = settings?.catalog.find((it) => it.id === settings.provider?.provider);
  const inUse = settings?.provider?.model ?? entry?.models[0]?.id;
  const named = (id: string, hint: string) => ({
    ...run(`model-${id}`, id, () => onModel(id), hint),
    isCurrent: id === inUse,
  });
  return {
    title: t("commands.model"),
    placeholder: t("modelChoice.name"),
    warning: hasTurns ? t("modelChoice.warning") : undefined,
    commands: (entry?.models ?? []).map(({ id, contextTokens }) =>
      named(
        id,
        contextTokens === null
          ? t("modelChoice.windowUnknown")
          : t("modelChoice.window", { tokens: format.compact(contextTokens) }),
      ),
    ),
    typed: (text) => named(text, t("modelChoice.use")),
  };
}

/** Enter alone goes back to the session before. */
export function recentPage({ t, recent }: CommandParts): CommandPage {
  return {
    title: t("room.goToSession"),
    placeholder: t("room.goToSession"),
    commands: recent.map(({ title, folder, enter }, index) =>
      run(`recent-${index}`, title, enter, folder),
    ),
  };
}

function providerPage({ t, settings, onSettings }: CommandParts): CommandPage {
  return {
    title: t("commands.provider"),
    placeholder: t("commands.provider"),
    commands: (settings?.catalog ?? []).map(({ id, name }) => ({
      ...run(`provider-${id}`, name, () => onSettings(id)),
      isCurrent: id === settings?.provider?.provider,
    })),
  };
}

function themePage({ t, preferences, onPreferences }: CommandParts): CommandPage {
  return {
    title: t("commands.theme"),
    placeholder: t("commands.theme"),
    commands: (["system", "light", "dark"] as const).map((theme) => ({
      ...run(`theme-${theme}`, t(`settings.themes.${theme}`), () => onPreferences({ theme })),
      isCurrent: theme === preferences.theme,
    })),
  };
}

function languagePage({ t, preferences, onPreferences }: CommandParts): CommandPage {
  return {
    title: t("commands.language"),
    placeholder: t("commands.language"),
    commands: [
      {
        ...run("language", t("settings.languageSystem"), () => onPreferences({ language: null })),
        isCurrent: preferences.language === null,
      },
      ...languages.map((language) => ({
        ...run(`language-${language}`, t(`language.${language}`), () =>
          onPreferences({ language }),
        ),
        isCurrent: language === preferences.language,
      })),
    ],
  };
}

function run(id: string, label: string, does: () => void, hint?: string) {
  return { id, label, hint, does: "run", run: does } as const;
}

function open(id: string, label: string, page: () => CommandPage): Command {
  return { id, label, does: "open", page };
}
