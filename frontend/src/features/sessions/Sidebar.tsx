// The sidebar: folders, and in each its sessions with where they stand; or what a search found.

import { FolderOpen, Plus, Settings } from "lucide-react";
import { type RefObject, useRef, useState } from "react";
import type { Backend } from "../../backend/backend.ts";
import type { SessionId, SessionSummary, TurnId } from "../../bindings.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { Disclosure } from "../../components/Disclosure.tsx";
import { useFocusHandedOn } from "../../components/useFocusHandedOn.ts";
import { useLocale } from "../../locale/index.ts";
import { useFailureText } from "../failureText.ts";
import type { LiveSession } from "./liveSession.ts";
import { SearchField } from "./SearchField.tsx";
import { SearchHits } from "./SearchHits.tsx";
import { type SessionActions, SessionMenu } from "./SessionMenu.tsx";
import { SessionRow } from "./SessionRow.tsx";
import css from "./Sidebar.module.css";
import type { LastResult } from "./standing.ts";
import { useSearch } from "./useSearch.ts";
import type { SessionList } from "./useSessionList.ts";
import { groupByWorkspace } from "./workspaces.ts";

export type SidebarProps = {
  readonly list: SessionList;
  readonly onReload: () => void;
  readonly current: SessionId | undefined;
  readonly live: ReadonlyMap<SessionId, LiveSession>;
  readonly seen: ReadonlyMap<SessionId, TurnId>;
  readonly results: ReadonlyMap<SessionId, LastResult>;
  /** Seconds since 1970, for how long ago things were. */
  readonly now: number;
  /** Opens a session, at a turn where one was found. */
  readonly onOpen: (session: SessionId, turn?: TurnId) => void;
  readonly actions: SessionActions;
  /** Answers the searches. */
  readonly backend: Pick<Backend, "search">;
  /** Gets the field that searches. */
  readonly searchInput?: (field: HTMLInputElement | null) => void;
  /** A new session in that folder. */
  readonly onNew: (folder: string | undefined) => void;
  readonly onOpenFolder: () => void;
  readonly onSettings: () => void;
  /** What gets the focus where the sidebar goes with it. */
  readonly after: RefObject<HTMLElement | null>;
  /** The words for the keys of this system. */
  readonly keys: {
    readonly openFolder: string;
    readonly newSession: string;
    readonly settings: string;
  };
};

export function Sidebar(props: SidebarProps) {
  const { list, keys } = props;
  const { t } = useLocale();
  const side = useRef<HTMLElement>(null);
  const below = useRef<HTMLDivElement>(null);
  useFocusHandedOn(side, props.after);
  const [sought, setSought] = useState("");
  const { search, again } = useSearch(props.backend, sought);
  const openFirst = () => {
    // What was found for the letters before is not what Enter is meant for.
    if (search.is !== "found" || search.asked !== sought.trim()) return;
    const [first] = search.page.hits;
    if (first === undefined) return;
    props.after.current?.focus();
    props.onOpen(first.session.session, first.turn ?? undefined);
  };
  const folder = list.is === "loaded" ? currentFolder(list.sessions, props.current) : undefined;
  return (
    <nav ref={side} className={css.side} aria-label={t("app.sidebar")}>
      <div className={css.brand}>
        <h1 className={css.name}>{t("app.name")}</h1>
        <IconButton
          label={`${t("sessions.new")} (${keys.newSession})`}
          aria-keyshortcuts="Control+N Meta+N"
          onClick={() => props.onNew(folder)}
        >
          <Plus size={16} aria-hidden="true" />
        </IconButton>
      </div>
      <SearchField
        value={sought}
        onValue={setSought}
        onEnter={openFirst}
        onDown={() => below.current?.querySelector("button")?.focus()}
        input={props.searchInput}
      />
      <div ref={below} className={css.list}>
        {search.is === "off" ? (
          <List {...props} />
        ) : (
          <SearchHits
            search={search}
            again={again}
            current={props.current}
            now={props.now}
            onOpen={props.onOpen}
          />
        )}
      </div>
      <div className={css.foot}>
        <button
          type="button"
          className={css.plain}
          title={keys.openFolder}
          onClick={props.onOpenFolder}
        >
          <FolderOpen size={15} aria-hidden="true" />
          {t("sessions.open")}
        </button>
        <IconButton
          label={`${t("settings.title")} (${keys.settings})`}
          onClick={() => props.onSettings()}
        >
          <Settings size={15} aria-hidden="true" />
        </IconButton>
      </div>
    </nav>
  );
}

function List(props: SidebarProps) {
  const { t } = useLocale();
  const failureText = useFailureText();
  const { list } = props;
  switch (list.is) {
    case "loading":
      return (
        <p className={css.note} role="status">
          {t("sessions.loading")}
        </p>
      );
    case "failed":
      return (
        <div className={css.note} role="alert">
          <p>{t("sessions.failed")}</p>
          <p>{failureText(list.error)}</p>
          <Button look="outline" onClick={props.onReload}>
            {t("action.reload")}
          </Button>
        </div>
      );
    case "loaded":
      if (list.sessions.length === 0) {
        return (
          <div className={css.note}>
            <p>{t("sessions.empty")}</p>
            <p>{t("sessions.emptyHint")}</p>
          </div>
        );
      }
      return <Groups {...props} sessions={list.sessions} />;
  }
}

function Groups(props: SidebarProps & { sessions: readonly SessionSummary[] }) {
  const { t } = useLocale();
  const archived = props.sessions.filter((it) => it.archived === true);
  const groups = groupByWorkspace(props.sessions.filter((it) => it.archived !== true));
  return (
    <>
      {groups.map(({ folder, name, sessions }) => (
        <section
          key={folder}
          className={css.group}
          aria-label={t("sessions.workspace", { folder: name })}
        >
          <div className={css.folder}>
            <h2 className={css.folderName} title={folder}>
              {name}
            </h2>
            <span className={css.add}>
              <IconButton
                label={t("room.newIn", { folder: name })}
                onClick={() => props.onNew(folder)}
              >
                <Plus size={14} aria-hidden="true" />
              </IconButton>
            </span>
          </div>
          <Rows {...props} sessions={sessions} />
        </section>
      ))}
      {archived.length > 0 && (
        <div className={css.archive}>
          <Disclosure summary={`${t("sessions.archived")} (${archived.length})`}>
            {() => <Rows {...props} sessions={archived} />}
          </Disclosure>
        </div>
      )}
    </>
  );
}

function Rows(props: SidebarProps & { sessions: readonly SessionSummary[] }) {
  return (
    <ul className={css.sessions}>
      {props.sessions.map((summary) => (
        <SessionRow
          key={summary.session}
          summary={summary}
          live={props.live.get(summary.session)}
          seen={props.seen.get(summary.session)}
          result={props.results.get(summary.session)}
          isCurrent={summary.session === props.current}
          now={props.now}
          onOpen={() => props.onOpen(summary.session)}
          menu={<SessionMenu summary={summary} actions={props.actions} />}
        />
      ))}
    </ul>
  );
}

function currentFolder(
  sessions: readonly SessionSummary[],
  current: SessionId | undefined,
): string | undefined {
  return sessions.find((it) => it.session === current)?.workspace;
}
