// One row of the transcript, by its kind.

import { type FocusEvent, memo, type ReactNode, useEffect, useRef } from "react";
import type { CappedText, NextAction, ToolCallId, ToolDetail } from "../../bindings.ts";
import { Hidden } from "../../components/Hidden.tsx";
import { useLocale } from "../../locale/index.ts";
import { byteLength, isCut } from "../../state/capped.ts";
import type { TurnState } from "../../state/session.ts";
import type { Row } from "../../state/transcript.ts";
import { VisibleText } from "../VisibleText.tsx";
import { FailureRow } from "./FailureRow.tsx";
import { MessageRow } from "./MessageRow.tsx";
import css from "./RowView.module.css";
import { ToolRow } from "./ToolRow.tsx";
import type { Found } from "./useSought.ts";
import type { WholeTexts } from "./wholeText.ts";

export type RowViewProps = {
  readonly row: Row;
  /** The turn it belongs to. */
  readonly turn: TurnState | undefined;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly renderCard: (turn: TurnState) => ReactNode;
  readonly loadDetail: (call: ToolCallId) => Promise<ToolDetail>;
  readonly wholes: WholeTexts;
  readonly onAction: (action: NextAction, turn: TurnState) => void;
  /** The row is the first of a turn that a search led to. */
  readonly found?: Found | undefined;
  /** The focus has left that row. */
  readonly onLeft?: () => void;
};

/** At most, on a busy machine. */
const MEASURED_AFTER_FRAMES = 60;

/** A row of which nothing shown has changed is left alone, however often its owner is drawn. */
export const RowView = memo(RowViewOf, (a, b) => {
  if (a.row !== b.row || a.isOpen !== b.isOpen || a.found !== b.found) return false;
  return a.row.is !== "result" || (a.turn === b.turn && a.renderCard === b.renderCard);
});

function RowViewOf(props: RowViewProps) {
  const look = `${css.row} ${props.row.is === "prompt" ? css.first : ""}`;
  if (props.found === undefined) {
    return (
      <div className={look}>
        <Content {...props} />
      </div>
    );
  }
  return <FoundRow {...props} found={props.found} look={look} />;
}

/** The keys go on from here, and an assistive program reads on from here. */
function FoundRow({
  look,
  found,
  onLeft,
  ...props
}: RowViewProps & { look: string; found: Found }) {
  const { t } = useLocale();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let frame = 0;
    // Until it is measured, a row that was just made is hidden, and what is hidden takes no focus.
    const takeFocus = (framesLeft: number) => {
      root.current?.focus({ preventScroll: true });
      if (root.current === document.activeElement || framesLeft === 0) return;
      frame = requestAnimationFrame(() => takeFocus(framesLeft - 1));
    };
    if (found.takesFocus) takeFocus(MEASURED_AFTER_FRAMES);
    return () => cancelAnimationFrame(frame);
  }, [found]);
  const left = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    // Where the window goes behind another one, it keeps its focus.
    if (currentTarget === document.activeElement || currentTarget.contains(relatedTarget)) return;
    onLeft?.();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div
      ref={root}
      role="group"
      aria-label={t("transcript.turn", { turn: found.turn + 1 })}
      data-found=""
      className={`${look} ${css.found}`}
      tabIndex={-1}
      onBlur={left}
    >
      <Content {...props} />
    </div>
  );
}

function Content({ row, turn, isOpen, onToggle, ...owner }: RowViewProps) {
  const { t, format } = useLocale();
  switch (row.is) {
    case "prompt":
      return (
        <>
          <h3>
            <Hidden>{t("transcript.turn", { turn: row.turn + 1 })}</Hidden>
          </h3>
          <div
            className={css.prompt}
            title={row.at === undefined ? undefined : format.moment(row.at)}
          >
            <Hidden>{`${t("transcript.you")}: `}</Hidden>
            {row.text.text}
            {isCut(row.text) && (
              <div className={css.cut}>
                {t("size.cut", {
                  shown: format.size(byteLength(row.text.text)),
                  total: format.size(row.text.totalBytes),
                })}
              </div>
            )}
          </div>
        </>
      );
    case "message":
      return (
        <MessageRow
          message={row.message.message}
          text={row.message.text}
          reasoning={row.message.reasoning}
          notice={row.message.interrupted ? "interrupted" : undefined}
          isLive={false}
          isOpen={isOpen}
          onToggle={onToggle}
          wholes={owner.wholes}
        />
      );
    case "streaming":
      return (
        <MessageRow
          message={row.streaming.message}
          text={uncut(row.streaming.text)}
          reasoning={uncut(row.streaming.reasoning)}
          notice={row.streaming.link === "joined" ? undefined : "rejoining"}
          isLive
          isOpen={isOpen}
          onToggle={onToggle}
          wholes={owner.wholes}
        />
      );
    case "tool":
      return (
        <ToolRow tool={row.tool} isOpen={isOpen} onToggle={onToggle} load={owner.loadDetail} />
      );
    case "job":
      return (
        <p className={css.quiet}>
          {t(`job.${row.job.state}`, { job: row.job.job })}
          {row.job.exitCode !== undefined && ` (${t("step.exit", { code: row.job.exitCode })})`}
          {": "}
          <code>
            <VisibleText text={row.job.title.text} oneLine />
          </code>
        </p>
      );
    case "notice":
      return (
        <p className={row.notice === "turn_recovered" ? css.quiet : css.notice}>
          {t(`notice.${row.notice}`)}
        </p>
      );
    case "stopped":
      return <p className={css.quiet}>{t("transcript.stopped")}</p>;
    case "failure":
      return (
        <FailureRow
          failure={row.failure}
          onAction={(action) => turn !== undefined && owner.onAction(action, turn)}
        />
      );
    case "result":
      return turn === undefined ? null : owner.renderCard(turn);
  }
}

/** Streamed text is all that there is so far. */
function uncut(text: string): CappedText {
  return { text, totalBytes: 0 };
}
