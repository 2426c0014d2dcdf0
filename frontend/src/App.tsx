// The window: joins the backend, the open sessions and the features.

import type { i18n } from "i18next";
import { useEffect, useMemo, useRef, useState } from "react";
import css from "./app/App.module.css";
import { BarMenus } from "./app/BarMenus.tsx";
import { Crash } from "./app/Crash.tsx";
import { type CommandParts, mainPage, modelPage, recentPage } from "./app/commandPages.ts";
import { watchInput } from "./app/inputKind.ts";
import { keeping } from "./app/keeping.ts";
import { Problem } from "./app/Problem.tsx";
import { SessionRoom } from "./app/SessionRoom.tsx";
import { useRooms } from "./app/useRooms.ts";
import { useSearchInput } from "./app/useSearchInput.ts";
import type { Backend, Preferences } from "./backend/backend.ts";
import type { SessionSummary } from "./bindings.ts";
import { CommandMenu } from "./features/commands/CommandMenu.tsx";
import type { CommandPage } from "./features/commands/commandPage.ts";
import { ShortcutSheet } from "./features/commands/ShortcutSheet.tsx";
import { keysOf, type Shortcut, type ZoomStep } from "./features/commands/shortcuts.ts";
import { useShortcuts } from "./features/commands/useShortcuts.ts";
import { createDrafts } from "./features/composer/drafts.ts";
import { DeleteDialog } from "./features/sessions/DeleteDialog.tsx";
import { FirstRun } from "./features/sessions/FirstRun.tsx";
import { OpenFolderDialog } from "./features/sessions/OpenFolderDialog.tsx";
import { RenameDialog } from "./features/sessions/RenameDialog.tsx";
import type { SessionActions } from "./features/sessions/SessionMenu.tsx";
import { Sidebar } from "./features/sessions/Sidebar.tsx";
import { StatusBar } from "./features/sessions/StatusBar.tsx";
import { useLastResults } from "./features/sessions/useLastResults.ts";
import { ProviderForm } from "./features/settings/ProviderForm.tsx";
import { SettingsDialog } from "./features/settings/SettingsDialog.tsx";
import { usePreferences } from "./features/settings/usePreferences.ts";
import { useSettings } from "./features/settings/useSettings.ts";
import { zoomAfter } from "./features/settings/zoom.ts";
import { useNow } from "./features/useNow.ts";
import { I18nextProvider, useLocale } from "./locale/index.ts";
import { runningTurn } from "./state/session.ts";

export type AppProps = {
  readonly backend: Backend;
  readonly texts: i18n;
  /** What the window remembers, as far as it could be read. */
  readonly preferences: Preferences;
};

export function App(props: AppProps) {
  return (
    <I18nextProvider i18n={props.texts}>
      <Crash>
        <Window {...props} />
      </Crash>
    </I18nextProvider>
  );
}

/** What lies over the page. */
type Over =
  | { readonly is: "nothing" }
  | { readonly is: "settings"; readonly provider: string | undefined }
  | { readonly is: "folder" }
  | { readonly is: "rename" | "delete"; readonly session: SessionSummary }
  | { readonly is: "shortcuts" }
  | { readonly is: "menu"; readonly page: CommandPage };

const everyMinuteMs = 60_000;

function Window({ backend, texts, preferences: initial }: AppProps) {
  const { t, format } = useLocale();
  const [settings, settingsActions] = useSettings(backend);
  const view = settings.is === "loaded" ? settings.view : undefined;
  const rooms = useRooms(backend, view === undefined || view.provider !== null);
  const [preferences, setPreferences] = usePreferences(backend, texts, initial, rooms.say);
  const results = useLastResults(backend, rooms.listed);
  const drafts = useMemo(createDrafts, []);
  useEffect(() => watchInput(document), []);
  const composer = useRef<HTMLTextAreaElement>(null);
  const middle = useRef<HTMLElement>(null);
  const [over, setOver] = useState<Over>({ is: "nothing" });
  const now = useNow(everyMinuteMs);
  const { current } = rooms;
  const close = () => setOver({ is: "nothing" });

  const openSettings = (provider?: string) => setOver({ is: "settings", provider });
  const setModel = (model: string) => void settingsActions.setModel(model).catch(rooms.say);
  const { summary } = rooms;
  const folder = summary?.workspace;
  const search = useSearchInput(() => setPreferences({ sidebarOpen: true }));
  const keep = keeping(backend, rooms, drafts);
  const actions: SessionActions = {
    onRename: (session) => setOver({ is: "rename", session }),
    onArchive: keep.archive,
    onCopy: ({ session }) => keep.copy(session),
    onDelete: (session) => setOver({ is: "delete", session }),
  };
  const askFolder = () => setOver({ is: "folder" });
  const newSession = (of: string | undefined) =>
    of === undefined ? askFolder() : rooms.newSession(of);
  const zoom = (by: ZoomStep) =>
    setPreferences({ zoomPercent: zoomAfter(preferences.zoomPercent, by) });
  const toggleInspector = () => setPreferences({ inspectorOpen: !preferences.inspectorOpen });
  const stop = () => {
    if (current !== undefined) backend.interrupt(current.session).catch(rooms.say);
  };
  const enterAt = (index: number) => {
    const listed = rooms.listed[index];
    if (listed !== undefined) rooms.enter(listed.session);
  };

  const entryOf = ({ title, workspace }: SessionSummary) => ({
    title: title === "" ? t("sessions.untitled") : title,
    folder: workspace,
  });
  const parts = (): CommandParts => ({
    t,
    format,
    settings: view,
    preferences,
    onPreferences: setPreferences,
    hasTurns: (current?.state.state().turns.size ?? 0) > 0,
    onModel: setModel,
    onSettings: openSettings,
    onShortcuts: () => setOver({ is: "shortcuts" }),
    onOpenFolder: askFolder,
    onNewSession: () => newSession(folder),
    search,
    current: summary,
    actions,
    onDemo: rooms.tryDemo,
    onStop: current && runningTurn(current.state.state()) ? stop : undefined,
    onInspector: current && toggleInspector,
    onComposer: current && (() => composer.current?.focus()),
    sessions: rooms.listed.map(entryOf),
    onSession: enterAt,
    recent: rooms.recent.map((it) => ({ ...entryOf(it), enter: () => rooms.enter(it.session) })),
    onZoom: zoom,
  });

  useShortcuts((shortcut: Shortcut) => {
    switch (shortcut.does) {
      case "commands":
        return setOver({ is: "menu", page: mainPage(parts()) });
      case "settings":
        return openSettings();
      case "openFolder":
        return askFolder();
      case "newSession":
        return newSession(folder);
      case "search":
        return search.go();
      case "sidebar":
        return setPreferences({ sidebarOpen: !preferences.sidebarOpen });
      case "inspector":
        return toggleInspector();
      case "recent":
        if (rooms.recent.length > 0) setOver({ is: "menu", page: recentPage(parts()) });
        return;
      case "zoom":
        return zoom(shortcut.by);
      case "sheet":
        return setOver({ is: "shortcuts" });
      case "session":
        return enterAt(shortcut.number - 1);
      case "escape":
        return stopOrDeny();
    }
  });

  /** A question is denied first; what runs is stopped by the next press. */
  const stopOrDeny = () => {
    const running = current && runningTurn(current.state.state());
    if (current === undefined || running === undefined) return;
    if (running.asking === undefined) stop();
    else backend.answer(current.session, running.asking.permission, "deny").catch(rooms.say);
  };

  return (
    <div className={css.window}>
      {current && (
        <button type="button" className={css.skip} onClick={() => composer.current?.focus()}>
          {t("app.skipToComposer")}
        </button>
      )}
      <Problem error={rooms.problem} onDismiss={() => rooms.say(undefined)} />
      {preferences.sidebarOpen && (
        <div className={css.side}>
          <Sidebar
            list={rooms.list}
            onReload={rooms.reload}
            current={current?.session}
            live={rooms.live}
            seen={rooms.seen}
            results={results}
            now={now}
            onOpen={rooms.enter}
            actions={actions}
            backend={backend}
            searchInput={search.input}
            onNew={newSession}
            onOpenFolder={askFolder}
            onSettings={() => openSettings()}
            after={current === undefined ? middle : composer}
            keys={{
              openFolder: keysOf("openFolder"),
              newSession: keysOf("newSession"),
              settings: keysOf("settings"),
            }}
          />
        </div>
      )}
      {current === undefined ? (
        <>
          <main ref={middle} tabIndex={-1} className={`${css.main} ${css.middle}`}>
            {rooms.list.is !== "loading" && (
              <FirstRun
                folder={rooms.waiting}
                provider={
                  view && (
                    <ProviderForm
                      view={view}
                      actions={settingsActions}
                      onSaved={rooms.goOn}
                      chosen={focusIt}
                    />
                  )
                }
                isBusy={rooms.isBusy}
                openFolderKeys={keysOf("openFolder")}
                onOpenFolder={rooms.chooseFolder}
                onOpenPath={rooms.openPath}
                onDemo={rooms.tryDemo}
                onSkip={rooms.goOn}
              />
            )}
          </main>
          <StatusBar turn={undefined}>
            <BarMenus preferences={preferences} onPreferences={setPreferences} />
          </StatusBar>
        </>
      ) : (
        <SessionRoom
          key={current.session}
          backend={backend}
          live={current}
          summary={summary}
          prompts={rooms.prompts.get(current.session)}
          drafts={drafts}
          composer={composer}
          settings={settings}
          preferences={preferences}
          onPreferences={setPreferences}
          onSettings={openSettings}
          onChooseModel={() => setOver({ is: "menu", page: modelPage(parts()) })}
          onModel={setModel}
          onRetryOpen={rooms.reenter}
          onCopy={() => keep.copy(current.session)}
          onProblem={rooms.say}
          sought={rooms.sought}
          onSoughtEnd={rooms.endSought}
        />
      )}
      {over.is === "settings" && (
        <SettingsDialog
          settings={settings}
          actions={settingsActions}
          preferences={preferences}
          onPreferences={setPreferences}
          about={() => backend.about()}
          startWith={over.provider}
          onClose={close}
        />
      )}
      {over.is === "folder" && (
        <OpenFolderDialog onOpen={rooms.openPath} onChoose={rooms.chooseFolder} onClose={close} />
      )}
      {over.is === "rename" && (
        <RenameDialog
          summary={over.session}
          onRename={(title) => keep.rename(over.session.session, title)}
          onClose={close}
        />
      )}
      {over.is === "delete" && (
        <DeleteDialog
          summary={over.session}
          onDelete={() => keep.remove(over.session.session)}
          onClose={close}
        />
      )}
      {over.is === "shortcuts" && <ShortcutSheet onClose={close} />}
      {over.is === "menu" && <CommandMenu page={over.page} onClose={close} />}
    </div>
  );
}

/** What led here is gone, and the focus with it; Tab goes on from the provider. */
function focusIt(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
