// One read: what is done with which file, how far it came, and the one thing that can be done now.

import { BookOpen, Check, ChevronRight, Pause, Square } from "lucide-react";
import { type RefObject, useId, useRef, useState } from "react";
import type { ReadId } from "../../bindings.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { PathText } from "../../components/PathText.tsx";
import { useFocusHandedOn } from "../../components/useFocusHandedOn.ts";
import { useLocale } from "../../locale/index.ts";
import { canStop, resumeLine, type ShownRead } from "../../state/readStatus.ts";
import { coveredText, missingText, pauseText } from "../readText.ts";
import { CoverageStrip } from "./CoverageStrip.tsx";
import { ReadFacts } from "./ReadFacts.tsx";
import css from "./ReadsArea.module.css";

export type ReadLineProps = {
  readonly read: ShownRead;
  readonly isRunning: boolean;
  readonly onStop: (read: ReadId) => Promise<void>;
  readonly onGoOn: ((message: string) => void) | undefined;
  readonly after: RefObject<HTMLElement | null>;
};

const signs = { reading: BookOpen, read: Check, paused: Pause, stopped: Square };

/** As high as any other, whatever it says: a page that comes moves nothing (RS-7). */
export function ReadLine({ read, isRunning, onStop, onGoOn, after }: ReadLineProps) {
  const { row, phase } = read;
  const { path, covered, total } = row;
  const { t, format } = useLocale();
  const [isOpen, setOpen] = useState(false);
  const panel = useId();
  const Sign = signs[phase];
  const lines = coveredText(row, t, format);
  const said = saidOf();
  return (
    <li className={css.item}>
      <div className={css.row}>
        <span className={`${css.sign} ${css[phase]}`}>
          <Sign size={13} aria-hidden="true" />
        </span>
        <div className={css.what}>
          <span className={css.verb}>{t(`readPhase.${phase}`)}</span>
          <span className={css.path}>
            <PathText path={path} />
          </span>
          {total !== undefined && total > 0 && (
            <CoverageStrip covered={covered} total={total} label={t("reads.covered", { lines })} />
          )}
        </div>
        <p className={css.said} title={said}>
          {said}
        </p>
        <div className={css.deeds}>
          {isRunning && canStop(read) && (
            <StopButton path={path} onStop={() => onStop(row.readId)} after={after} />
          )}
          {!isRunning && onGoOn !== undefined && (
            <Button
              look="outline"
              aria-label={t("reads.goOnIt", { path })}
              onClick={() => onGoOn(t("reads.message", { path, line: String(resumeLine(row)) }))}
            >
              {t("reads.goOn")}
            </Button>
          )}
          <IconButton
            label={t("reads.details", { path })}
            aria-expanded={isOpen}
            aria-controls={isOpen ? panel : undefined}
            onClick={() => setOpen(!isOpen)}
          >
            <ChevronRight size={14} aria-hidden="true" />
          </IconButton>
        </div>
      </div>
      {isOpen && <ReadFacts id={panel} read={read} />}
    </li>
  );

  /** Why it paused and what is missing; else what was read. */
  function saidOf(): string {
    const missing = missingText(row.missing, t, format);
    switch (phase) {
      case "reading":
      case "read":
        return lines;
      case "paused":
        return [pauseText(row, t), missing ?? lines].join(" · ");
      case "stopped":
        return missing ?? lines;
    }
  }
}

/** It stays, and keeps the focus, until the read is said to be cancelled. */
function StopButton(props: {
  path: string;
  onStop: () => Promise<void>;
  after: RefObject<HTMLElement | null>;
}) {
  const { path, onStop, after } = props;
  const { t } = useLocale();
  const [isStopping, setStopping] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useFocusHandedOn(button, after);
  const stop = () => {
    if (isStopping) return;
    setStopping(true);
    onStop().catch(() => setStopping(false));
  };
  return (
    <Button
      ref={button}
      look="outline"
      aria-label={t("reads.stopIt", { path })}
      aria-disabled={isStopping || undefined}
      onClick={stop}
    >
      {isStopping ? t("reads.stopping") : t("reads.stop")}
    </Button>
  );
}
