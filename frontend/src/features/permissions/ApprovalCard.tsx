// The question that a call waits for: exactly what would be done, and the three answers.

import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import type { Decision, Preset, ToolCallId, ToolDetail } from "../../bindings.ts";
import { Button } from "../../components/Button.tsx";
import { ScrolledText } from "../../components/ScrolledText.tsx";
import { type Translate, useLocale } from "../../locale/index.ts";
import { byteLength, isCut } from "../../state/capped.ts";
import type { Asking } from "../../state/session.ts";
import { toolWord } from "../../state/toolWord.ts";
import { useFailureText } from "../failureText.ts";
import { type Pulled, usePulled } from "../usePulled.ts";
import { VisibleText } from "../VisibleText.tsx";
import css from "./ApprovalCard.module.css";
import { useFirstFocus } from "./useFirstFocus.ts";
import { WouldWrite } from "./WouldWrite.tsx";

export type ApprovalCardProps = {
  readonly asking: Asking;
  readonly preset: Preset | undefined;
  readonly folder: string | undefined;
  readonly onAnswer: (decision: Decision) => Promise<void>;
  readonly loadDetail: (call: ToolCallId) => Promise<ToolDetail>;
};

const answers = [
  { decision: "allow_once", key: "1" },
  { decision: "allow_session", key: "2" },
  { decision: "deny", key: "3" },
] as const satisfies readonly { decision: Decision; key: string }[];

/** To be mounted anew for each question. */
export function ApprovalCard({ asking, preset, folder, onAnswer, loadDetail }: ApprovalCardProps) {
  const { t } = useLocale();
  const failureText = useFailureText();
  const [given, setGiven] = useState<Decision>();
  const [error, setError] = useState<unknown>();
  const card = useRef<HTMLElement>(null);
  const buttons = useRef<(HTMLButtonElement | null)[]>([]);
  const isWrite = isWriter(asking.tool);
  const asks = isWrite || isCut(asking.subject);
  const { pulled, again } = usePulled(
    [asking.call],
    asks ? () => loadDetail(asking.call) : undefined,
  );
  const subject = wholeSubject(asking, pulled);
  useFirstFocus(card, () => buttons.current[0]);

  const give = (decision: Decision) => {
    if (given !== undefined) return;
    setGiven(decision);
    setError(undefined);
    onAnswer(decision).catch((failure: unknown) => {
      setGiven(undefined);
      setError(failure);
    });
  };
  const giveLatest = useRef(give);
  giveLatest.current = give;
  // Before it is painted: what has the focus takes keys at once.
  useLayoutEffect(() => {
    const pressed = (event: globalThis.KeyboardEvent) => {
      const answer = answers.find((it) => it.key === event.key);
      if (answer === undefined || !isFree(event)) return;
      event.preventDefault();
      giveLatest.current(answer.decision);
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);

  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const at = buttons.current.findIndex((it) => it?.contains(document.activeElement));
    if (step === undefined || at < 0) return;
    event.preventDefault();
    buttons.current[(at + step + answers.length) % answers.length]?.focus();
  };

  return (
    <section ref={card} className={css.card} aria-labelledby="approval-title">
      <header className={css.head}>
        <h3 id="approval-title" className={css.title}>
          {title(asking.tool, t)}
        </h3>
        {preset !== undefined && <span className={css.preset}>{t(`preset.${preset}`)}</span>}
      </header>
      <Subject subject={subject} label={title(asking.tool, t)} />
      {isWrite && (
        <WouldWrite tool={asking.tool} path={asking.subject.text} pulled={pulled} onAgain={again} />
      )}
      <dl className={css.facts}>
        <dt>{t("permission.why")}</dt>
        <dd>{t(`askReason.${asking.reason}`)}</dd>
        {folder !== undefined && (
          <>
            <dt>{t("permission.folder")}</dt>
            <dd className={css.mono}>{folder}</dd>
          </>
        )}
      </dl>
      {error !== undefined && (
        <p className={css.error} role="alert">
          {failureText(error)}
        </p>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields. */}
      <div
        className={css.answers}
        role="group"
        aria-label={t("permission.choices")}
        onKeyDown={move}
      >
        {answers.map(({ decision, key }, index) => (
          <span key={decision} className={decision === "deny" ? css.last : undefined}>
            <Button
              ref={(button) => {
                buttons.current[index] = button;
              }}
              look={decision === "allow_once" ? "filled" : "outline"}
              keys={decision === "deny" ? "Esc" : key}
              aria-keyshortcuts={key}
              data-first-focus={index === 0 ? "" : undefined}
              // A button that is disabled loses the focus, and with it the way back to the field.
              aria-disabled={given !== undefined}
              disabled={subject.isHidden && decision !== "deny"}
              onClick={() => give(decision)}
            >
              {t(`permission.${decision}`)}
            </Button>
          </span>
        ))}
      </div>
    </section>
  );
}

type SubjectView = {
  readonly text: string;
  readonly totalBytes: number;
  /** A part of it cannot be shown. */
  readonly isHidden: boolean;
};

/** Where the event holds only the start, all is asked for: nobody is to allow what they cannot see. */
function wholeSubject({ subject }: Asking, pulled: Pulled<ToolDetail>): SubjectView {
  const { text, totalBytes } = subject;
  if (!isCut(subject)) return { text, totalBytes, isHidden: false };
  if (pulled.is !== "here") return { text, totalBytes, isHidden: true };
  return { text: pulled.value.arguments, totalBytes, isHidden: false };
}

function Subject({ subject, label }: { subject: SubjectView; label: string }) {
  const { t, format } = useLocale();
  return (
    <>
      <ScrolledText label={label} look={css.subject}>
        <VisibleText text={subject.text} />
      </ScrolledText>
      {subject.isHidden && (
        <p className={css.cut} role="status">
          {t("size.cut", {
            shown: format.size(byteLength(subject.text)),
            total: format.size(subject.totalBytes),
          })}
        </p>
      )}
    </>
  );
}

function isWriter(tool: string): boolean {
  const word = toolWord(tool);
  return word === "create" || word === "edit";
}

function title(tool: string, t: Translate): string {
  switch (toolWord(tool)) {
    case "run":
      return t("permission.runTitle");
    case "create":
    case "edit":
      return t("permission.writeTitle");
    case "read":
    case "list":
    case "search":
    case "other":
      return t("permission.otherTitle");
  }
}

/** Whether a key is meant for nothing else: no text is typed, and nothing lies over the page. */
function isFree(event: globalThis.KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = event.target instanceof Element ? event.target : null;
  return target?.closest("input, textarea, select, [role=dialog], [role=menu]") === null;
}
