// One session on the screen: its head, the conversation, the question, the message field; the
// details at the right; the status bar.

import { type RefObject, useEffect, useMemo, useSyncExternalStore } from "react";
import type { Backend, Preferences } from "../backend/backend.ts";
import type { Decision, NextAction, ReadId, SessionSummary } from "../bindings.ts";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import type { Drafts } from "../features/composer/drafts.ts";
import { useFailureText } from "../features/failureText.ts";
import { ApprovalCard } from "../features/permissions/ApprovalCard.tsx";
import { ReadsArea } from "../features/reads/ReadsArea.tsx";
import { isOutOfReach, type LiveSession } from "../features/sessions/liveSession.ts";
import { StatusBar } from "../features/sessions/StatusBar.tsx";
import type { ChangePreferences } from "../features/settings/usePreferences.ts";
import type { SettingsState } from "../features/settings/useSettings.ts";
import { LiveRegion } from "../features/transcript/LiveRegion.tsx";
import { paced, page } from "../features/transcript/pacing.ts";
import { Transcript } from "../features/transcript/Transcript.tsx";
import type { Sought } from "../features/transcript/useSought.ts";
import { TurnResultCard } from "../features/turn-results/TurnResultCard.tsx";
import { useLocale } from "../locale/index.ts";
import { newestTurn, type TurnState } from "../state/session.ts";
import { turnResultView } from "../state/turnResult.ts";
import css from "./App.module.css";
import { BarMenus } from "./BarMenus.tsx";
import { ComposerBox } from "./ComposerBox.tsx";
import { RoomHead } from "./RoomHead.tsx";
import { TurnDetails } from "./TurnDetails.tsx";
import { useChosenTurn } from "./useChosenTurn.ts";
import { usePreset } from "./usePreset.ts";

export type SessionRoomProps = {
  readonly backend: Backend;
  readonly live: LiveSession;
  /** Missing until the list knows it. */
  readonly summary: SessionSummary | undefined;
  /** Where the session is the demo's: what to ask. */
  readonly prompts: readonly string[] | undefined;
  readonly drafts: Drafts;
  readonly composer: RefObject<HTMLTextAreaElement | null>;
  readonly settings: SettingsState;
  readonly preferences: Preferences;
  readonly onPreferences: ChangePreferences;
  readonly onSettings: (provider?: string) => void;
  readonly onChooseModel: () => void;
  readonly onModel: (model: string) => void;
  readonly onRetryOpen: () => void;
  /** Goes on in a copy of the session. */
  readonly onCopy: () => void;
  /** The newest turn was on the screen when it ended. */
  readonly onProblem: (error: unknown) => void;
  /** The turn that a search led to, until it is gone to. */
  readonly sought: Sought | undefined;
  readonly onSoughtEnd: () => void;
};

/** To be mounted anew for each session. */
export function SessionRoom(props: SessionRoomProps) {
  const { backend, live, preferences, onPreferences, sought } = props;
  const { session } = live;
  const { t } = useLocale();
  const slow = useMemo(() => paced(live.state, page), [live]);
  const state = useSyncExternalStore(slow.subscribe, slow.state);
  const load = useSyncExternalStore(live.load.subscribe, live.load.state);
  const newest = newestTurn(state);
  const chosen = useChosenTurn(state, () => onPreferences({ inspectorOpen: true }));
  const preset = usePreset(backend, session, newest, load.is === "loaded", props.onProblem);
  const isDemo = props.prompts !== undefined || props.summary?.isDemo === true;
  useDraftBack(newest, props.drafts, session);
  useEntered(props.composer);
  const isLoaded = load.is === "loaded";
  useEffect(() => {
    if (isLoaded && sought !== undefined) live.loadBackTo(sought.turn);
  }, [live, isLoaded, sought]);

  const send = (text: string) => backend.prompt(session, text).then(() => undefined);
  const stopReading = async (read: ReadId) => {
    try {
      await backend.stopReading(session, read);
    } catch (error) {
      props.onProblem(error);
      throw error;
    }
  };
  const write = (message: string) => {
    props.drafts.add(session, message);
    props.composer.current?.focus();
  };
  const act = (action: NextAction, turn: TurnState) => {
    if (action === "retry" || action === "wait_and_retry") {
      // The next turn is built anew below this one, and the button that was pressed goes.
      props.composer.current?.focus();
      if (turn.prompt !== undefined) send(turn.prompt.text).catch(props.onProblem);
    } else props.onSettings();
  };
  const renderCard = useMemo(
    () => (turn: TurnState) => {
      const view = turnResultView(turn);
      if (view === undefined) return null;
      return (
        <TurnResultCard
          view={view}
          onOpenDiff={(path) => chosen.show(turn.turn, "diff", path)}
          onOpenChecks={() => chosen.show(turn.turn, "checks")}
        />
      );
    },
    [chosen.show],
  );

  const view = chosen.turn && turnResultView(chosen.turn);
  const showsDetails = view !== undefined && preferences.inspectorOpen;
  return (
    <>
      <main className={css.main}>
        <RoomHead
          title={props.summary?.title ?? ""}
          folder={props.summary?.workspace}
          turn={newest?.turn}
          preferences={preferences}
          onPreferences={onPreferences}
          hasDetails={view !== undefined}
        />
        {load.is === "loaded" ? (
          <Transcript
            session={session}
            state={state}
            more={load.more}
            older={load.older}
            onOlder={live.loadOlder}
            seeking={
              sought && {
                sought,
                isLost: isOutOfReach(live, sought.turn),
                onEnd: props.onSoughtEnd,
              }
            }
            renderCard={renderCard}
            loadDetail={(call) => backend.toolDetail(session, call)}
            loadMessage={(message) => backend.message(session, message)}
            onAction={act}
            onLink={(url) => void backend.openLink(url).catch(props.onProblem)}
          />
        ) : (
          <Opening
            error={load.is === "failed" ? load.error : undefined}
            onRetry={props.onRetryOpen}
          />
        )}
        <div className={css.foot}>
          {newest !== undefined && (
            <ReadsArea
              key={newest.turn}
              reads={newest.reads}
              isRunning={newest.end === undefined}
              onStop={stopReading}
              onGoOn={load.is === "loaded" && load.readOnly === undefined ? write : undefined}
              after={props.composer}
            />
          )}
          {newest?.asking !== undefined && newest.end === undefined && (
            <ApprovalCard
              key={newest.asking.permission}
              asking={newest.asking}
              preset={newest.preset}
              folder={props.summary?.workspace}
              onAnswer={answerTo(backend, session, newest.asking.permission)}
              loadDetail={(call) => backend.toolDetail(session, call)}
            />
          )}
          <ComposerBox
            {...props}
            isDemo={isDemo}
            state={state}
            load={load}
            preset={preset}
            send={send}
          />
        </div>
        <LiveRegion key={load.is} turn={newest} />
      </main>
      {showsDetails && (
        <TurnDetails
          backend={backend}
          session={session}
          view={view}
          chosen={chosen}
          sidebarOpen={preferences.sidebarOpen}
          widthPx={preferences.inspectorWidthPx}
          onWidth={(inspectorWidthPx) => onPreferences({ inspectorWidthPx })}
          onClose={() => onPreferences({ inspectorOpen: false })}
          after={props.composer}
        />
      )}
      <StatusBar turn={newest} badge={badge()}>
        <BarMenus preferences={preferences} onPreferences={onPreferences} />
      </StatusBar>
    </>
  );

  function badge(): string | undefined {
    if (isDemo) return t("demo.badge");
    return load.is === "loaded" && load.readOnly !== undefined ? t("sessions.readOnly") : undefined;
  }
}

function answerTo(backend: Backend, session: string, permission: string) {
  return (decision: Decision) => backend.answer(session, permission, decision);
}

/** What was sent comes back if the turn was stopped before anything was answered. */
function useDraftBack(newest: TurnState | undefined, drafts: Drafts, session: string): void {
  const isUnanswered =
    newest?.end?.outcome.is === "interrupted" &&
    newest.items.every(
      (it) => it.is === "notice" || it.is === "job" || (it.is === "message" && it.text.text === ""),
    );
  useEffect(() => {
    if (isUnanswered) drafts.putBack(session);
  }, [isUnanswered, drafts, session]);
}

/** Who enters a session means to write there, unless they write elsewhere already. */
function useEntered(composer: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    const elsewhere = document.activeElement?.closest("[role=dialog], input, textarea");
    if (elsewhere === null) composer.current?.focus();
  }, [composer]);
}

function Opening({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useLocale();
  const failureText = useFailureText();
  return (
    <div className={css.middle}>
      {error === undefined ? (
        <EmptyState title={t("sessions.opening")} role="status" />
      ) : (
        <EmptyState
          title={t("sessions.openFailed")}
          role="alert"
          actions={
            <Button look="outline" onClick={onRetry}>
              {t("action.retry")}
            </Button>
          }
        >
          {failureText(error)}
        </EmptyState>
      )}
    </div>
  );
}
