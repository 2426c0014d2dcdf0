// What a search found: the sessions, each with the newest place that holds the words.

import type { SearchHit, SearchPage } from "../../backend/backend.ts";
import type { SessionId, TurnId } from "../../bindings.ts";
import { Button } from "../../components/Button.tsx";
import { useLocale } from "../../locale/index.ts";
import { useFailureText } from "../failureText.ts";
import { VisibleText } from "../VisibleText.tsx";
import css from "./SearchHits.module.css";
import row from "./SessionRow.module.css";
import side from "./Sidebar.module.css";
import { marked } from "./searchMarks.ts";
import { titleOf } from "./summary.ts";
import type { Search } from "./useSearch.ts";

export type SearchHitsProps = {
  readonly search: Search;
  readonly again: () => void;
  readonly current: SessionId | undefined;
  readonly now: number;
  /** Opens a session, at the turn that was found where it is in one. */
  readonly onOpen: (session: SessionId, turn?: TurnId) => void;
};

export function SearchHits(props: SearchHitsProps) {
  const { t } = useLocale();
  const failureText = useFailureText();
  const { search } = props;
  switch (search.is) {
    case "off":
      return null;
    case "asking":
      return (
        <p className={side.note} role="status">
          {t("sessions.searching")}
        </p>
      );
    case "failed":
      return (
        <div className={side.note} role="alert">
          <p>{t("sessions.searchFailed")}</p>
          <p>{failureText(search.error)}</p>
          <Button look="outline" onClick={props.again}>
            {t("action.retry")}
          </Button>
        </div>
      );
    case "found":
      return <Found {...props} words={search.asked.split(/\s+/)} page={search.page} />;
  }
}

function Found(props: SearchHitsProps & { words: readonly string[]; page: SearchPage }) {
  const { page, words, current, now } = props;
  const { t } = useLocale();
  const shown = page.hits.length;
  return (
    <>
      <p className={css.count} role="status">
        {shown === 0 ? t("sessions.nothingFound") : t("sessions.hits", { count: page.total })}
        {page.isPartial && ` ${t("sessions.partialSearch")}`}
      </p>
      <ul className={side.sessions}>
        {page.hits.map((hit) => (
          <Hit
            key={hit.session.session}
            hit={hit}
            words={words}
            isCurrent={hit.session.session === current}
            now={now}
            onOpen={() => props.onOpen(hit.session.session, hit.turn ?? undefined)}
          />
        ))}
      </ul>
      {shown < page.total && <p className={css.count}>{t("sessions.moreHits", { shown })}</p>}
    </>
  );
}

function Hit(props: {
  hit: SearchHit;
  words: readonly string[];
  isCurrent: boolean;
  now: number;
  onOpen: () => void;
}) {
  const { session, place, excerpt, matches } = props.hit;
  const { t, format } = useLocale();
  const age = format.age(session.changedAt, props.now);
  const several = matches > 1 ? ` · ${t("sessions.matches", { count: matches })}` : "";
  return (
    <li>
      <button
        type="button"
        className={`${row.row} ${css.hit}`}
        aria-current={props.isCurrent ? "true" : undefined}
        title={excerpt}
        onClick={props.onOpen}
      >
        <span className={row.title}>{titleOf(session, t)}</span>{" "}
        <span className={row.age} title={format.moment(session.changedAt)}>
          {age === "" ? t("time.now") : age}
        </span>{" "}
        <span className={`${row.second} ${css.excerpt}`}>
          {marked(excerpt, props.words).map(({ text, isMatch, at }) =>
            isMatch ? (
              <mark key={at} className={css.match}>
                <VisibleText text={text} oneLine />
              </mark>
            ) : (
              <VisibleText key={at} text={text} oneLine />
            ),
          )}
        </span>{" "}
        <span className={`${row.second} ${css.place}`}>
          {t(`sessions.place.${place}`)}
          {several}
        </span>
      </button>
    </li>
  );
}
