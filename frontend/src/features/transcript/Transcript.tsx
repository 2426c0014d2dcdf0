// The conversation: past turns windowed, the newest apart, and the end followed while one is there.

import { ArrowDown } from "lucide-react";
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import type { MessageBody } from "../../backend/backend.ts";
import type { MessageId, NextAction, SessionId, ToolCallId, ToolDetail } from "../../bindings.ts";
import { Button } from "../../components/Button.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { useLocale } from "../../locale/index.ts";
import type { SessionState, TurnState } from "../../state/session.ts";
import { type Row, turnRows } from "../../state/transcript.ts";
import { type BottomFollow, followBottom } from "./bottomFollow.ts";
import { OnLink } from "./onLink.ts";
import { RowView } from "./RowView.tsx";
import css from "./Transcript.module.css";
import { useBothSides } from "./useBothSides.ts";
import { useOpenRows } from "./useOpenRows.ts";
import { type Seeking, useSought } from "./useSought.ts";
import { wholeTexts } from "./wholeText.ts";

export type TranscriptProps = {
  readonly session: SessionId;
  readonly state: SessionState;
  /** Older turns than the loaded ones: whether there are any, and how loading them stands. */
  readonly more: boolean;
  readonly older: "idle" | "loading" | "failed";
  readonly onOlder: () => void;
  /** The way to a turn that a search led to; it is gone to once it is loaded. */
  readonly seeking?: Seeking | undefined;
  /** The card of a turn that ended. */
  readonly renderCard: (turn: TurnState) => ReactNode;
  readonly loadDetail: (call: ToolCallId) => Promise<ToolDetail>;
  readonly loadMessage: (message: MessageId) => Promise<MessageBody>;
  /** What the user chose to do about a failed turn. */
  readonly onAction: (action: NextAction, turn: TurnState) => void;
  /** A link of an answer was clicked. */
  readonly onLink: (url: string) => void;
  /** Said where there is no turn yet. */
  readonly empty?: ReactNode;
};

/** How near to the top older turns are asked for. */
const NEAR_TOP_PX = 600;
/** How far beyond the view rows are there already: a turn of the wheel shows no gap. */
const BEYOND_PX = 1200;
/** About the height of a row that was not seen yet. */
const ROW_PX = 40;

/** Each session's conversation starts at its end, with everything folded. */
export function Transcript(props: TranscriptProps) {
  return (
    <OnLink value={props.onLink}>
      <Conversation key={props.session} {...props} />
    </OnLink>
  );
}

function Conversation(props: TranscriptProps) {
  const { state, more, older, onOlder } = props;
  const { t } = useLocale();
  const { past, newest } = useTurns(state);
  const rows = useMemo(() => past.flatMap(turnRows), [past]);
  const openRows = useOpenRows();
  const loadMessage = useRef(props.loadMessage);
  loadMessage.current = props.loadMessage;
  const [wholes] = useState(() => wholeTexts((message) => loadMessage.current(message)));
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follow = useRef<BottomFollow>(undefined);
  const [away, setAway] = useState(false);
  const list = useRef<VirtualizerHandle>(null);
  const { kept, moved } = useBothSides(list, rows, BEYOND_PX);
  const { seeking } = props;
  const { found, leave } = useSought(seeking, state.turns, scroller);
  const foundAt = found === undefined ? -1 : rows.findIndex((it) => it.turn === found.turn);
  // It has the focus, wherever the view is.
  const keptToo = useMemo(() => (foundAt < 0 ? kept : [...kept, foundAt]), [kept, foundAt]);
  const shift = usePrepended(rows);

  useLayoutEffect(() => {
    if (scroller.current === null || content.current === null) return;
    const following = followBottom(scroller.current, content.current, setAway);
    follow.current = following;
    return following.stop;
  }, []);

  const newestTurn = newest?.turn;
  useLayoutEffect(() => {
    if (newestTurn !== undefined) follow.current?.stick();
  }, [newestTurn]);

  const latestAt = useRef(foundAt);
  latestAt.current = foundAt;
  useLayoutEffect(() => {
    if (found === undefined) return;
    follow.current?.leave();
    if (latestAt.current >= 0) {
      list.current?.scrollToIndex(latestAt.current);
    } else {
      scroller.current?.querySelector("[data-found]")?.scrollIntoView();
      follow.current?.arrived();
    }
  }, [found]);

  const askOlder = () => {
    const top = scroller.current?.scrollTop ?? 0;
    if (more && older === "idle" && top < NEAR_TOP_PX) onOlder();
  };
  // A page that does not fill the view is followed by the next one.
  useEffect(askOlder);

  // The button is gone once the end is reached, so the keys go on with what it scrolled.
  const toBottom = () => {
    scroller.current?.focus({ preventScroll: true });
    follow.current?.stick();
  };

  const row = (it: Row, turn: TurnState | undefined) => (
    <RowView
      key={it.key}
      row={it}
      turn={turn ?? state.turns.get(it.turn)}
      isOpen={openRows.isOpen(it.key)}
      onToggle={() => {
        follow.current?.hold();
        openRows.toggle(it.key);
      }}
      renderCard={props.renderCard}
      loadDetail={props.loadDetail}
      wholes={wholes}
      onAction={props.onAction}
      found={it.turn === found?.turn && isFirst(it, state) ? found : undefined}
      onLeft={leave}
    />
  );

  return (
    <div className={css.transcript}>
      <section
        ref={scroller}
        className={css.scroller}
        aria-label={t("app.transcript")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keys must reach it.
        tabIndex={0}
        onScroll={askOlder}
      >
        <div ref={content} className={css.content}>
          {newest === undefined && (
            <div className={css.start}>
              {props.empty ?? (
                <EmptyState title={t("transcript.empty")}>{t("transcript.emptyHint")}</EmptyState>
              )}
            </div>
          )}
          <Virtualizer
            data={rows}
            scrollRef={scroller}
            itemSize={ROW_PX}
            bufferSize={BEYOND_PX}
            shift={shift}
            ref={list}
            keepMounted={keptToo}
            onScroll={moved}
          >
            {(it) => row(it, undefined)}
          </Virtualizer>
          {newest !== undefined && turnRows(newest).map((it) => row(it, newest))}
          {newest !== undefined && isWaiting(newest) && (
            <p className={css.waiting}>{t("transcript.waiting")}</p>
          )}
        </div>
      </section>
      {older !== "idle" && (
        <div className={css.older} role="status">
          {older === "loading" ? t("transcript.loadingOlder") : t("transcript.olderFailed")}
          {older === "failed" && <Button onClick={onOlder}>{t("action.retry")}</Button>}
        </div>
      )}
      {seeking?.isLost === true && (
        <div className={css.older} role="status">
          {t("transcript.notReadable")}
          <Button onClick={seeking.onEnd}>{t("action.dismiss")}</Button>
        </div>
      )}
      {away && (
        <div className={css.toBottom}>
          <Button look="outline" onClick={toBottom}>
            <ArrowDown size={14} aria-hidden="true" />
            {t("transcript.toBottom")}
          </Button>
        </div>
      )}
    </div>
  );
}

/**
 * The newest turn stands apart from its first word on, and stays there when it has ended, so that
 * nothing of it is built anew under the reader's eyes.
 */
function useTurns(state: SessionState): {
  past: readonly TurnState[];
  newest: TurnState | undefined;
} {
  const kept = useRef<readonly TurnState[]>([]);
  const turns = [...state.turns.values()].sort((a, b) => a.turn - b.turn);
  const newest = turns.pop();
  const isSame =
    turns.length === kept.current.length && turns.every((turn, i) => turn === kept.current[i]);
  if (!isSame) kept.current = turns;
  return { past: kept.current, newest };
}

function isFirst(row: Row, { turns }: SessionState): boolean {
  const turn = turns.get(row.turn);
  return turn !== undefined && turnRows(turn)[0]?.key === row.key;
}

/** Whether nothing is to be seen of what the turn does: the model has not begun to answer. */
function isWaiting(turn: TurnState): boolean {
  if (turn.end !== undefined || turn.streaming !== undefined || turn.asking !== undefined) {
    return false;
  }
  const last = turn.items.at(-1);
  return (
    last?.is !== "tool" || (last.status !== "running" && last.status !== "awaiting_permission")
  );
}

/** Whether rows came in front of those that were there at the last paint. */
function usePrepended(rows: readonly Row[]): boolean {
  const first = useRef<string>(undefined);
  const before = first.current;
  useLayoutEffect(() => {
    first.current = rows[0]?.key;
  }, [rows]);
  return before !== undefined && rows[0]?.key !== before && rows.some((it) => it.key === before);
}
