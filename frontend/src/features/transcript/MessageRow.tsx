// One message of the model: its reasoning folded, its text as Markdown, streamed or stored alike.

import { ChevronRight } from "lucide-react";
import { useId } from "react";
import type { MessageBody } from "../../backend/backend.ts";
import type { MessageId } from "../../bindings.ts";
import { Button } from "../../components/Button.tsx";
import { useLocale } from "../../locale/index.ts";
import type { MessageItem } from "../../state/session.ts";
import { Markdown } from "./Markdown.tsx";
import css from "./MessageRow.module.css";
import { useWhole } from "./wholeText.ts";

export type MessageRowProps = {
  readonly message: MessageId;
  readonly text: string;
  readonly reasoning: string;
  /** The message, where only a part of it came with the event. */
  readonly cut: MessageItem | undefined;
  readonly notice: "interrupted" | "rejoining" | undefined;
  /** It is still being written. */
  readonly isLive: boolean;
  /** Whether the reasoning is unfolded. */
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly load: (message: MessageId) => Promise<MessageBody>;
};

export function MessageRow(props: MessageRowProps) {
  const { cut, isLive } = props;
  const { t, format } = useLocale();
  const { whole, ask } = useWhole(props.message, props.load);
  const text = whole.is === "loaded" ? whole.body.text : props.text;
  const reasoning = whole.is === "loaded" ? (whole.body.reasoning ?? "") : props.reasoning;
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
      {cut !== undefined && whole.is !== "loaded" && (
        <p className={css.aside} role="status">
          {t("size.cut", {
            shown: format.size(cut.text.text.length),
            total: format.size(cut.text.totalBytes),
          })}
          {whole.is === "loading" && ` · ${t("state.loading")}`}
          {whole.is === "failed" && ` · ${t("state.unavailable")}`}
          {whole.is !== "loading" && <Button onClick={ask}>{t("action.loadWhole")}</Button>}
        </p>
      )}
      {props.notice === "interrupted" && (
        <p className={css.aside}>{t("transcript.interruptedMessage")}</p>
      )}
      {props.notice === "rejoining" && <p className={css.aside}>{t("transcript.rejoining")}</p>}
    </article>
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
