// The recorded checks of a turn: the whole command, what it came to, and what it said.

import type { Backend } from "../../backend/backend.ts";
import type { SessionId } from "../../bindings.ts";
import { Button } from "../../components/Button.tsx";
import { Disclosure } from "../../components/Disclosure.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { useLocale } from "../../locale/index.ts";
import type { CheckRow } from "../../state/checks.ts";
import type { TurnResultView } from "../../state/turnResult.ts";
import { useFailureText } from "../failureText.ts";
import { usePulled } from "../usePulled.ts";
import { CheckOutcome, CheckSign } from "./CheckFacts.tsx";
import { CheckLogViewer } from "./CheckLogViewer.tsx";
import { TrustMark } from "./FileFacts.tsx";
import css from "./Panes.module.css";

export type ChecksPaneProps = {
  backend: Pick<Backend, "checkLog">;
  session: SessionId;
  view: TurnResultView;
};

export function ChecksPane({ backend, session, view }: ChecksPaneProps) {
  const { t } = useLocale();
  const { rows, status } = view.checks;
  if (rows.length === 0) {
    const isUnknown = status === "unknown";
    return <EmptyState title={t(isUnknown ? "checks.unknown" : "checks.none")} />;
  }
  return (
    <div className={css.scroll}>
      <ul className={css.checks} aria-label={t("checks.title")}>
        {rows.map((check) => (
          <li key={check.call} className={css.check}>
            <div className={css.checkHead}>
              <CheckSign state={check.state} />
              <code className={css.command}>{check.command.text}</code>
              <TrustMark level={check.level} />
              <span className={css.outcome}>
                <CheckOutcome check={check} />
              </span>
            </div>
            <Facts check={check} />
            <Disclosure summary={t("step.output")}>
              {() => <Output backend={backend} session={session} view={view} check={check} />}
            </Disclosure>
          </li>
        ))}
      </ul>
      <p className={css.hint}>{t("checks.hint")}</p>
    </div>
  );
}

/** What the runner counted, where it ran, and why its status is worth less. */
function Facts({ check }: { check: CheckRow }) {
  const { t } = useLocale();
  const { counts, cwd, kind, qualifiers } = check;
  const facts: string[] = [];
  if (counts !== undefined) facts.push(t("checks.counts", counts));
  if (cwd !== undefined) facts.push(t("checks.ranIn", { folder: cwd }));
  if (kind === "unclassified") facts.push(t("checks.unclassifiedBecause"));
  for (const it of qualifiers) facts.push(t(`checks.because.${it}`));
  if (facts.length === 0) return null;
  return (
    <ul className={css.facts}>
      {facts.map((it) => (
        <li key={it}>{it}</li>
      ))}
    </ul>
  );
}

/** What the command printed. Without a name of its own the log of old data cannot be told apart. */
function Output({ backend, session, view, check }: ChecksPaneProps & { check: CheckRow }) {
  const { t } = useLocale();
  const failureText = useFailureText();
  const { call, result } = check;
  const key = [session, view.resultId, view.turn, call, result];
  const ask = () => backend.checkLog(session, view.turn, call, result ?? "");
  const { pulled, again } = usePulled(key, result === undefined ? undefined : ask);
  if (result === undefined) return <p className={css.hint}>{t("log.unavailable")}</p>;
  switch (pulled.is) {
    case "loading":
      return <p role="status">{t("state.loading")}</p>;
    case "unavailable":
      return <p className={css.hint}>{t("log.unavailable")}</p>;
    case "failed":
      return (
        <p role="alert">
          {failureText(pulled.error)} <Button onClick={again}>{t("action.retry")}</Button>
        </p>
      );
    case "here": {
      const label = t("log.of", { command: check.command.text });
      return <CheckLogViewer key={key.join()} log={pulled.value} label={label} />;
    }
  }
}
