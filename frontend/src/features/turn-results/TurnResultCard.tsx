// The card below an answer: what the host saw of the turn, apart from what the model says of it.

import { useId, useState } from "react";
import { Button } from "../../components/Button.tsx";
import { Chip } from "../../components/Chip.tsx";
import { Time } from "../../components/Time.tsx";
import { useLocale } from "../../locale/index.ts";
import type { ChecksView } from "../../state/checks.ts";
import type { TurnResultView } from "../../state/turnResult.ts";
import { ChangeSummary } from "./ChangeSummary.tsx";
import { CheckChips, CheckList } from "./CheckList.tsx";
import { FileList } from "./FileList.tsx";
import { GapList } from "./GapList.tsx";
import { ReadList } from "./ReadList.tsx";
import { RefusedList } from "./RefusedList.tsx";
import { type PlainNote, ResultNotes } from "./ResultNotes.tsx";
import css from "./TurnResultCard.module.css";

export type TurnResultCardProps = {
  view: TurnResultView;
  /** Shows the frozen diff: of a file, or of the first one. */
  onOpenDiff: (path?: string) => void;
  onOpenChecks: () => void;
};

export function TurnResultCard(props: TurnResultCardProps) {
  const { view } = props;
  const { t, format } = useLocale();
  const id = `turn-result-${view.resultId ?? view.turn}`;
  const at = view.frozenAt;
  const frozen = at !== undefined && (
    <span className={css.when}>
      <Time at={at} title={format.moment(at)}>
        {t("card.frozen", { time: format.clock(at) })}
      </Time>
    </span>
  );
  if (view.shape === "line") {
    const words = { changes: t("card.none"), checks: t("checks.status.none") };
    return (
      <section id={id} className={css.line} aria-label={t("card.label", { turn: view.label })}>
        <span>{t("quiet", words)}</span>
        <Outcome view={view} />
        {frozen}
      </section>
    );
  }
  return (
    <section id={id} className={css.card} aria-label={t("card.label", { turn: view.label })}>
      <header className={css.header}>
        <h3>{t("card.title")}</h3>
        <Outcome view={view} />
        {frozen}
      </header>
      <Body {...props} />
    </section>
  );
}

function Body({ view, onOpenDiff, onOpenChecks }: TurnResultCardProps) {
  const { t } = useLocale();
  const [showsRefused, setShowsRefused] = useState(false);
  const refusedId = useId();
  const { changes, checks, refused, writesRefused } = view;
  const hasActions = view.totalFiles > 0 || checks.rows.length > 0 || refused.length > 0;
  const hasChecks = checks.rows.length > 0;
  const leads = hasChecks && (view.totalFiles === 0 || areDoubtful(checks));
  const toDiff = view.totalFiles > 0 && (
    <Button key="diff" look={leads ? "plain" : "accent"} onClick={() => onOpenDiff()}>
      {t("card.viewDiff")}
    </Button>
  );
  const toChecks = hasChecks && (
    <Button key="checks" look={leads ? "accent" : "plain"} onClick={onOpenChecks}>
      {t("card.viewChecks")}
    </Button>
  );
  return (
    <>
      <div className={css.summary}>
        <ChangeSummary changes={changes} />
        <span className={css.chips}>
          <CheckChips checks={checks} />
          {writesRefused > 0 && (
            <Chip tone="warn">{t("card.refused", { count: writesRefused })}</Chip>
          )}
        </span>
      </div>
      <FileList files={view.files} totalFiles={view.totalFiles} onOpen={onOpenDiff} />
      <GapList reasons={view.reasons} />
      <ReadList outcome={view.outcome} stopped={view.readsStopped} />
      <CheckList rows={checks.rows} />
      <ResultNotes notes={unsaid(view)} />
      {showsRefused && <RefusedList id={refusedId} refused={refused} />}
      {hasActions && (
        <div className={css.actions}>
          {leads ? [toChecks, toDiff] : [toDiff, toChecks]}
          {refused.length > 0 && (
            <Button
              look={view.totalFiles > 0 || checks.rows.length > 0 ? "plain" : "accent"}
              aria-expanded={showsRefused}
              aria-controls={showsRefused ? refusedId : undefined}
              onClick={() => setShowsRefused(!showsRefused)}
            >
              {t("card.viewRefused")}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

/** What is to be looked at first, before what was changed. */
function areDoubtful({ status }: ChecksView): boolean {
  switch (status) {
    case "failed":
    case "interrupted":
    case "unknown":
      return true;
    case "running":
    case "stale":
    case "passed":
    case "none":
      return false;
  }
}

/** A turn that did not end by itself says so beside its title. */
function Outcome({ view }: { view: TurnResultView }) {
  const { t } = useLocale();
  switch (view.outcome.is) {
    case "completed":
      return null;
    case "incomplete_read":
      return <Chip tone="warn">{t("card.incompleteRead")}</Chip>;
    case "interrupted":
      return <Chip tone="quiet">{t("card.interrupted")}</Chip>;
    case "unknown":
      return <Chip tone="quiet">{t("card.endUnknown")}</Chip>;
    case "failed":
      return <Chip tone="fail">{t("card.failed")}</Chip>;
  }
}

/** The notes that nothing else in the card says already. */
function unsaid({ notes, changes }: TurnResultView): readonly PlainNote[] {
  return notes
    .filter((it) => it.note !== "writes_refused")
    .filter(({ note }) => note !== "no_net_changes" || changes.is !== "none");
}
