// One session of the sidebar: its title, when it changed, where it stands, what came of it last.

import { useSyncExternalStore } from "react";
import type { SessionSummary, TurnId } from "../../bindings.ts";
import { Hidden } from "../../components/Hidden.tsx";
import { useLocale } from "../../locale/index.ts";
import { emptySession, newestTurn, type SessionState } from "../../state/session.ts";
import { LineCounts } from "../LineCounts.tsx";
import { checksText } from "../resultText.ts";
import type { LiveSession } from "./liveSession.ts";
import css from "./SessionRow.module.css";
import { type LastResult, lastResult, type Standing, standing } from "./standing.ts";

export type SessionRowProps = {
  readonly summary: SessionSummary;
  readonly live: LiveSession | undefined;
  readonly seen: TurnId | undefined;
  readonly result: LastResult | undefined;
  readonly isCurrent: boolean;
  readonly now: number;
  readonly onOpen: () => void;
};

const never = () => () => {};
const nothing = () => emptySession;

export function SessionRow(props: SessionRowProps) {
  const { summary, live, isCurrent } = props;
  const { t, format } = useLocale();
  const where = useSyncExternalStore(live?.state.subscribe ?? never, () =>
    keyOf(live?.state.state() ?? nothing()),
  );
  const state = where === "" ? undefined : live?.state.state();
  const result = (state && ownResult(state)) ?? props.result;
  const stands = standing(summary, state, isCurrent ? undefined : props.seen, result);
  const isUnreadable = stands === "unreadable";
  const age = format.age(summary.changedAt, props.now);
  const word = t(`sessions.dot.${stands}`);
  return (
    <li>
      <button
        type="button"
        className={css.row}
        aria-current={isCurrent ? "true" : undefined}
        onClick={props.onOpen}
      >
        <span className={`${css.dot} ${css[stands]}`} aria-hidden="true" />
        <span
          className={`${css.title} ${stands === "unread" ? css.strong : ""}`}
          title={summary.title}
        >
          {isUnreadable ? summary.session : summary.title || t("sessions.untitled")}
        </span>{" "}
        {isUnreadable ? (
          <span />
        ) : (
          <span className={css.age} title={format.moment(summary.changedAt)}>
            {age === "" ? t("time.now") : age}
          </span>
        )}{" "}
        <span className={css.second}>
          <Second stands={stands} word={word} result={result} summary={summary} />
        </span>
      </button>
    </li>
  );
}

/** The word for the dot, unless the facts of the last turn say the same and more. */
function Second(props: {
  stands: Standing;
  word: string;
  result: LastResult | undefined;
  summary: SessionSummary;
}) {
  const { stands, word, result } = props;
  const { t } = useLocale();
  switch (stands) {
    case "unreadable":
      return props.summary.unreadable ?? word;
    case "running":
    case "asking":
      return word;
    case "failed":
    case "unread":
    case "partial":
    case "passed":
    case "idle":
      if (props.summary.turns === 0 && result === undefined) return t("room.noTurn");
      if (result === undefined) return word;
      return (
        <>
          {stands === "unread" && <Hidden>{`${word}. `}</Hidden>}
          <Result result={result} />
        </>
      );
  }
}

function Result({ result }: { result: LastResult }) {
  const { t } = useLocale();
  const { changes, checks } = result;
  return (
    <>
      {result.failed && <span className={css.fail}>{t("card.failed")} · </span>}
      {result.stopped && <>{t("card.interrupted")} · </>}
      <Changes changes={changes} />
      {checks.status !== "none" && checks.status !== "unknown" && (
        <>
          {" · "}
          <span className={css[checkTone(checks.status)]}>{checksText(checks, t)}</span>
        </>
      )}
    </>
  );
}

function Changes({ changes }: { changes: LastResult["changes"] }) {
  const { t } = useLocale();
  switch (changes.is) {
    case "unknown":
      return t("card.unknown");
    case "none":
      return t("card.none");
    case "incomplete":
      return t("card.incomplete");
    case "counted":
      return (
        <>
          {t("card.files", { count: changes.files })}{" "}
          <LineCounts added={changes.added} removed={changes.removed} />
          {changes.partial && (
            <>
              {" · "}
              <span className={css.warn}>{t("card.partial")}</span>
            </>
          )}
        </>
      );
  }
}

function checkTone(status: LastResult["checks"]["status"]): "pass" | "fail" | "warn" {
  switch (status) {
    case "passed":
      return "pass";
    case "failed":
      return "fail";
    case "running":
    case "interrupted":
    case "stale":
    case "none":
    case "unknown":
      return "warn";
  }
}

/** What of a session the row depends on, as a text that changes with it; not each word streamed. */
function keyOf(state: SessionState): string {
  const newest = newestTurn(state);
  if (newest === undefined) return "";
  return `${newest.turn} ${newest.end === undefined} ${newest.asking === undefined}`;
}

/** The newest turn that has ended. */
function ownResult(state: SessionState): LastResult | undefined {
  const newest = newestTurn(state);
  if (newest === undefined) return undefined;
  const before = newest.end === undefined ? state.turns.get(newest.turn - 1) : newest;
  return before && lastResult(before);
}
