// One session of the sidebar: its title, when it changed, where it stands, what came of it last.

import { type ReactNode, useSyncExternalStore } from "react";
import type { SessionSummary, TurnId } from "../../bindings.ts";
import { Hidden } from "../../components/Hidden.tsx";
import { type Translate, useLocale } from "../../locale/index.ts";
import { emptySession, newestTurn, type SessionState } from "../../state/session.ts";
import { LineCounts } from "../LineCounts.tsx";
import { changesText, checksText } from "../resultText.ts";
import type { LiveSession } from "./liveSession.ts";
import css from "./SessionRow.module.css";
import { type LastResult, lastResult, type Standing, standing } from "./standing.ts";
import { titleOf } from "./summary.ts";

export type SessionRowProps = {
  readonly summary: SessionSummary;
  readonly live: LiveSession | undefined;
  readonly seen: TurnId | undefined;
  readonly result: LastResult | undefined;
  readonly isCurrent: boolean;
  readonly now: number;
  readonly onOpen: () => void;
  /** At the end of the line: what else can be done with it. */
  readonly menu?: ReactNode;
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
  const said = saidOf(stands, word, summary, result, t);
  return (
    <li className={css.item}>
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
          {titleOf(summary, t)}
        </span>{" "}
        {isUnreadable ? (
          <span />
        ) : (
          <span className={css.age} title={format.moment(summary.changedAt)}>
            {age === "" ? t("time.now") : age}
          </span>
        )}{" "}
        <span className={css.second} title={typeof said === "string" ? said : wholeText(said, t)}>
          {typeof said === "string" ? (
            said
          ) : (
            <>
              {stands === "unread" && <Hidden>{`${word}. `}</Hidden>}
              <Result result={said} />
            </>
          )}
        </span>
      </button>
      {props.menu}
    </li>
  );
}

/** The word for the dot, unless the facts of the last turn say the same and more. */
function saidOf(
  stands: Standing,
  word: string,
  summary: SessionSummary,
  result: LastResult | undefined,
  t: Translate,
): string | LastResult {
  switch (stands) {
    case "unreadable":
      return summary.unreadable ?? word;
    case "running":
    case "asking":
      return word;
    case "failed":
    case "unread":
    case "partial":
    case "passed":
    case "idle":
      return result ?? (summary.turns === 0 ? t("room.noTurn") : word);
  }
}

/** What the line would say if it had the room. */
function wholeText(result: LastResult, t: Translate): string {
  const { changes, checks, failed, stopped } = result;
  const unread = unreadText(result, t);
  const parts = [changesText(changes, t)];
  if (unread !== undefined) parts.unshift(unread);
  if (stopped) parts.unshift(t("card.interrupted"));
  if (failed) parts.unshift(t("card.failed"));
  if (changes.is === "counted") {
    parts.push(t("card.added", { count: changes.added }));
    parts.push(t("card.removed", { count: changes.removed }));
  }
  if (isSaid(checks)) parts.push(checksText(checks, t));
  return parts.join(" · ");
}

/** What of a file was not read. */
function unreadText(
  { incompleteRead, readsStopped }: LastResult,
  t: Translate,
): string | undefined {
  if (incompleteRead) return t("card.incompleteRead");
  return readsStopped > 0 ? t("card.readsStopped", { count: readsStopped }) : undefined;
}

/** Where there is nothing to say of checks, nothing is said; of one that proves nothing there is. */
function isSaid({ status, count }: LastResult["checks"]): boolean {
  return status === "unknown" ? count > 0 : status !== "none";
}

function Result({ result }: { result: LastResult }) {
  const { t } = useLocale();
  const { changes, checks } = result;
  const unread = unreadText(result, t);
  const isPartial = changes.is === "counted" && changes.partial;
  return (
    <>
      {result.failed && <span className={css.fail}>{t("card.failed")} · </span>}
      {result.stopped && !isPartial && <>{t("card.interrupted")} · </>}
      {unread !== undefined && (
        <>
          <span className={css.warn}>{unread}</span> ·{" "}
        </>
      )}
      <Changes changes={changes} />
      {isSaid(checks) && (
        <>
          {" · "}
          <span className={css[checkTone(checks.status)]}>{checksText(checks, t)}</span>
        </>
      )}
    </>
  );
}

/** The line is short: lines say more than files, of which the whole text tells. */
function Changes({ changes }: { changes: LastResult["changes"] }) {
  const { t } = useLocale();
  if (changes.is !== "counted") return changesText(changes, t);
  const hasLines = changes.added + changes.removed > 0;
  return (
    <>
      {hasLines ? (
        <LineCounts added={changes.added} removed={changes.removed} />
      ) : (
        t("card.files", { count: changes.files })
      )}
      {changes.partial && (
        <>
          {" · "}
          <span className={css.warn}>{t("card.partial")}</span>
        </>
      )}
    </>
  );
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
