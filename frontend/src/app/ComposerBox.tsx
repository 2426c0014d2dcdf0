// The message field of one session: its draft, what blocks it, the demo's prompts above it.

import { type ReactNode, type RefObject, useRef, useState, useSyncExternalStore } from "react";
import type { Backend } from "../backend/backend.ts";
import { Button } from "../components/Button.tsx";
import { useFocusHandedOn } from "../components/useFocusHandedOn.ts";
import { Composer } from "../features/composer/Composer.tsx";
import type { Drafts } from "../features/composer/drafts.ts";
import { useFailureText } from "../features/failureText.ts";
import type { LiveSession, Load } from "../features/sessions/liveSession.ts";
import type { SettingsState } from "../features/settings/useSettings.ts";
import { useLocale } from "../locale/index.ts";
import { isCut } from "../state/capped.ts";
import { newestTurn, type SessionState } from "../state/session.ts";
import { contextTokens } from "../state/usage.ts";
import css from "./App.module.css";
import type { PresetChoice } from "./usePreset.ts";

/** What the scripted model calls itself. */
const DEMO_MODEL = "demo";

export type ComposerBoxProps = {
  readonly backend: Backend;
  readonly live: LiveSession;
  readonly state: SessionState;
  readonly load: Load;
  readonly preset: PresetChoice;
  readonly send: (text: string) => Promise<void>;
  readonly prompts: readonly string[] | undefined;
  /** A script answers, whatever provider is set up. */
  readonly isDemo: boolean;
  readonly drafts: Drafts;
  readonly composer: RefObject<HTMLTextAreaElement | null>;
  readonly settings: SettingsState;
  readonly onSettings: (provider?: string) => void;
  readonly onChooseModel: () => void;
  readonly onModel: (model: string) => void;
  /** Goes on in a copy of the session. */
  readonly onCopy: () => void;
  readonly onProblem: (error: unknown) => void;
};

export function ComposerBox(props: ComposerBoxProps) {
  const { backend, drafts, live, state } = props;
  const { session } = live;
  const failureText = useFailureText();
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const draft = useSyncExternalStore(drafts.store.subscribe, () => drafts.get(session));
  const newest = newestTurn(state);
  const isRunning = newest !== undefined && newest.end === undefined;
  const view = props.settings.is === "loaded" ? props.settings.view : undefined;
  const blocked = useBlocked(props);

  const send = (text: string) => {
    if (isSending || isRunning || props.load.is !== "loaded" || blocked !== undefined) return;
    setSending(true);
    setError(undefined);
    drafts.set(session, text);
    drafts.take(session);
    props.send(text).then(
      () => setSending(false),
      (failure: unknown) => {
        setSending(false);
        setError(failure);
        drafts.putBack(session);
      },
    );
  };

  return (
    <>
      {props.prompts !== undefined && props.load.is === "loaded" && !isRunning && (
        <DemoPrompts prompts={props.prompts} state={state} onSend={send} after={props.composer} />
      )}
      <Composer
        input={props.composer}
        draft={draft}
        onDraft={(text) => drafts.set(session, text)}
        prompts={promptsOf(state)}
        onSend={() => send(draft)}
        isRunning={isRunning}
        isAsking={newest?.asking !== undefined}
        onStop={() => void backend.interrupt(session).catch(props.onProblem)}
        preset={props.preset.preset}
        onPreset={props.preset.choose}
        settings={view}
        model={props.isDemo ? (newest?.model ?? DEMO_MODEL) : modelOf(view, newest?.model)}
        onChooseModel={props.onChooseModel}
        onModel={props.onModel}
        onProvider={props.onSettings}
        contextTokens={lastContext(state)}
        hasTurns={newest !== undefined}
        isReady={props.load.is === "loaded"}
        blocked={blocked}
        error={error === undefined ? undefined : failureText(error)}
      />
    </>
  );
}

/** The first 16 KiB of each are here; one that was cut is not offered again (AN-2). */
function promptsOf(state: SessionState): readonly string[] {
  const turns = [...state.turns.values()].sort((a, b) => a.turn - b.turn);
  return turns.flatMap(({ prompt }) => (prompt === undefined || isCut(prompt) ? [] : prompt.text));
}

/** As of the last request that told; a turn that has just begun has none yet. */
function lastContext(state: SessionState): number | undefined {
  const turns = [...state.turns.values()].sort((a, b) => b.turn - a.turn);
  const told = turns.find((it) => it.usage.length > 0);
  return told && contextTokens(told.usage);
}

function modelOf(
  view: Extract<SettingsState, { is: "loaded" }>["view"] | undefined,
  last: string | undefined,
): string | undefined {
  const { provider, catalog } = view ?? { provider: null, catalog: [] };
  if (provider === null) return last === "" ? undefined : last;
  return provider.model ?? catalog.find((it) => it.id === provider.provider)?.models[0]?.id;
}

/** Why nothing can be sent, with what helps (SM-5); `undefined` where something can. */
function useBlocked(props: ComposerBoxProps): ReactNode {
  const { load, settings, isDemo, onSettings } = props;
  const { t } = useLocale();
  const failureText = useFailureText();
  // The transcript says that it is loading; a line here would move what is clicked when it goes.
  if (load.is === "loading") return undefined;
  if (load.is === "failed") return t("sessions.openFailed");
  if (load.readOnly !== undefined) {
    return (
      <>
        <span>{failureText(load.readOnly)}</span>
        <Button look="outline" onClick={props.onCopy}>
          {t("sessions.copy")}
        </Button>
      </>
    );
  }
  if (isDemo || settings.is !== "loaded") return undefined;
  const { provider, problem } = settings.view;
  if (provider !== null && problem === null) return undefined;
  return (
    <>
      <span>{problem ?? t("composer.noProvider")}</span>
      <Button look="outline" onClick={() => onSettings()}>
        {t("commands.provider")}
      </Button>
    </>
  );
}

/** The prompts that are left: the script has replies to each in its own turn alone. */
function DemoPrompts(props: {
  prompts: readonly string[];
  state: SessionState;
  onSend: (prompt: string) => void;
  /** What gets the focus when the one that had it is sent. */
  after: RefObject<HTMLElement | null>;
}) {
  const { t } = useLocale();
  const section = useRef<HTMLElement>(null);
  useFocusHandedOn(section, props.after);
  const newest = newestTurn(props.state);
  const left = props.prompts.slice(newest === undefined ? 0 : newest.turn + 1);
  if (left.length === 0) return null;
  return (
    <section ref={section} className={css.prompts} aria-label={t("demo.badge")}>
      <p className={css.promptsHint}>{t("demo.hint", { count: left.length })}</p>
      {left.map((prompt) => (
        <button
          key={prompt}
          type="button"
          className={css.prompt}
          title={t("demo.prompt")}
          onClick={() => props.onSend(prompt)}
        >
          {prompt}
        </button>
      ))}
    </section>
  );
}
