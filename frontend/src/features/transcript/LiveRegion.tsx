// The one polite live region of the session on the screen (AX-1).

import { useEffect, useRef, useState } from "react";
import { Hidden } from "../../components/Hidden.tsx";
import { type Translate, useLocale } from "../../locale/index.ts";
import type { ShownRead } from "../../state/readStatus.ts";
import type { TurnState } from "../../state/session.ts";
import { turnResultView } from "../../state/turnResult.ts";
import { pauseText } from "../readText.ts";
import { changesText, checksText } from "../resultText.ts";
import { type Announcement, type Heard, hear } from "./announce.ts";
import { verbOf } from "./toolWords.ts";

/** To be mounted anew for each session; what was there already is not told. */
export function LiveRegion({ turn }: { turn: TurnState | undefined }) {
  const { t } = useLocale();
  const heard = useRef<Heard>({ turn, progressAtMs: performance.now() });
  const [said, setSaid] = useState("");
  useEffect(() => {
    const next = hear(heard.current, turn, performance.now());
    heard.current = next.heard;
    if (next.say !== undefined && turn !== undefined) setSaid(textOf(next.say, turn, t));
  }, [turn, t]);
  return (
    <Hidden>
      <span role="status" aria-live="polite">
        {said}
      </span>
    </Hidden>
  );
}

function textOf(it: Announcement, turn: TurnState, t: Translate): string {
  switch (it.say) {
    case "started":
      return t("announce.started", { turn: turn.turn + 1 });
    case "asking":
      return t("announce.asking", { subject: it.subject });
    case "reads":
      return it.reads.map((read) => readText(read, t)).join(" ");
    case "working":
      return t("announce.working", { step: `${verbOf(it.step, t)} ${it.step.title.text}` });
    case "ended":
      return endText(turn, t);
  }
}

function readText({ row, phase }: ShownRead, t: Translate): string {
  const { path } = row;
  switch (phase) {
    case "reading":
      return t("announce.reading", { path });
    case "read":
      return t("announce.readDone", { path });
    case "paused":
      return t("announce.readPaused", { path, reason: pauseText(row, t) });
    case "stopped":
      return t("announce.readStopped", { path });
  }
}

function endText(turn: TurnState, t: Translate): string {
  const view = turnResultView(turn);
  if (view === undefined) return "";
  const changes = changesText(view.changes, t);
  switch (view.outcome.is) {
    case "completed":
      return t("announce.finished", { changes, checks: checksText(view.checks, t) });
    case "incomplete_read":
      return t("announce.incompleteRead", { changes, checks: checksText(view.checks, t) });
    case "interrupted":
      return t("announce.stopped", { changes });
    case "unknown":
      return t("announce.unknown", { changes });
    case "failed":
      return t("announce.failed", { reason: t(`turnFailure.${view.outcome.failure.code}`) });
  }
}
