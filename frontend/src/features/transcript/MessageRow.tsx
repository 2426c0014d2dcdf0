// One message of the model: its reasoning folded, its text as Markdown, streamed or stored alike.

import { ChevronRight } from "lucide-react";
import { useId } from "react";
import type { CappedText, MessageId } from "../../bindings.ts";
import { Button } from "../../components/Button.tsx";
import { useLocale } from "../../locale/index.ts";
import { byteLength, isCut } from "../../state/capped.ts";
import { usePulled } from "../usePulled.ts";
import { Markdown } from "./Markdown.tsx";
import css from "./MessageRow.module.css";
import type { WholeTexts } from "./wholeText.ts";

export type MessageRowProps = {
  readonly message: MessageId;
  readonly text: CappedText;
  readonly reasoning: CappedText | undefined;
  readonly notice: "interrupted" | "rejoining" | undefined;
  /** It is still being written. */
  readonly isLive: boolean;
  /** Whether the reasoning is unfolded. */
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly wholes: WholeTexts;
};

export function MessageRow(props: MessageRowProps) {
  const { isLive } = props;
  const { t } = useLocale();
  const { whole, cut, again } = useWhole(props);
  const text = whole?.text ?? props.text.text;
  const reasoning = (whole === undefined ? props.reasoning?.text : whole.reasoning) ?? "";
  return (
    <article className={css.message} aria-label={t("transcript.assistant")}>
      {reasoning !== "" && (
        <Reasoning
          text={reasoning}
          isThinking={isLive && text === ""}
          isOpen={props.isOpen}
          onToggle={props.onToggle}
        />
      )}
      {text !== "" && <Markdown text={text} isLive={isLive} />}
      {cut !== undefined && <Cut {...cut} onAgain={again} />}
      {props.notice === "interrupted" && (
        <p className={css.aside}>{t("transcript.interruptedMessage")}</p>
      )}
      {props.notice === "rejoining" && <p className={css.aside}>{t("transcript.rejoining")}</p>}
    </article>
  );
}

/** A text that came in part is asked for whole by itself; folded reasoning when it is unfolded. */
function useWhole({ message, text, reasoning, isOpen, wholes }: MessageRowProps) {
  const known = wholes.known(message);
  const part = isCut(text) ? text : isOpen && isCut(reasoning) ? reasoning : undefined;
  const asks = known === undefined && part !== undefined;
  const { pulled, again } = usePulled([message], asks ? () => wholes.load(message) : undefined);
  const whole = known ?? (pulled.is === "here" ? pulled.value : undefined);
  const cut = whole === undefined && part !== undefined ? { part, stands: pulled.is } : undefined;
  return { whole, cut, again };
}

/** How much of a text is here, and how it stands with the rest. */
function Cut(props: {
  part: CappedText;
  stands: "loading" | "unavailable" | "failed" | "here";
  onAgain: () => void;
}) {
  const { part, stands } = props;
  const { t, format } = useLocale();
  const sizes = { shown: format.size(byteLength(part.text)), total: format.size(part.totalBytes) };
  return (
    <p className={css.aside} role="status">
      {`${t("size.cut", sizes)} · ${t(stands === "loading" ? "state.loading" : "state.unavailable")}`}
      {stands === "failed" && <Button onClick={props.onAgain}>{t("action.loadWhole")}</Button>}
    </p>
  );
}

function Reasoning(props: {
  text: string;
  isThinking: boolean;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const { t } = useLocale();
  const panel = useId();
  return (
    <div className={css.reasoning}>
      <button
        type="button"
        className={css.fold}
        aria-expanded={props.isOpen}
        aria-controls={props.isOpen ? panel : undefined}
        onClick={props.onToggle}
      >
        <ChevronRight size={14} aria-hidden="true" className={css.chevron} />
        {t(props.isThinking ? "room.thinking" : "transcript.reasoning")}
      </button>
      {props.isOpen && (
        <div id={panel} className={css.thoughts}>
          {props.text}
        </div>
      )}
    </div>
  );
}
