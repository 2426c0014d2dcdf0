// The recorded checks of a result, one line each, and their state in short (CK-5).

import { Check, CircleDashed, Clock, Square, X } from "lucide-react";
import { Chip, type Tone } from "../../components/Chip.tsx";
import { useLocale } from "../../locale/index.ts";
import type { CheckRow, ChecksView } from "../../state/checks.ts";
import { CheckOutcome, CheckSign } from "./CheckFacts.tsx";
import { TrustMark } from "./FileFacts.tsx";
import css from "./TurnResultCard.module.css";

export function CheckList({ rows }: { rows: readonly CheckRow[] }) {
  const { t } = useLocale();
  if (rows.length === 0) return null;
  return (
    <ul className={css.rows} aria-label={t("card.checkList")}>
      {rows.map((check) => (
        <li key={check.call} className={`${css.row} ${css.check}`}>
          <span className={css.sign}>
            <CheckSign state={check.state} />
          </span>
          <span className={css.body}>
            <code className={`${css.name} ${css.command}`} title={check.command.text}>
              {check.command.text}
            </code>
            {(check.level === "reported" || check.level === "unknown") && (
              <TrustMark level={check.level} />
            )}
            <span className={css.outcome}>
              <CheckOutcome check={check} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** One chip for each thing to be said; none where a note says that there was no check. */
export function CheckChips({ checks }: { checks: ChecksView }) {
  const { t } = useLocale();
  const { status, count, rows } = checks;
  switch (status) {
    case "none":
      return null;
    case "running":
      return <CheckChip tone="quiet" sign={CircleDashed} text={t("checks.status.running")} />;
    case "unknown": {
      const text = count > 0 ? t("checks.status.unproven", { count }) : t("card.checksMissing");
      return <CheckChip tone="warn" sign={CircleDashed} text={text} />;
    }
    case "failed":
      return (
        <>
          <CheckChip tone="fail" sign={X} text={t("checks.status.failed", { count })} />
          {checks.someStale && <CheckChip tone="warn" sign={Clock} text={t("checks.someStale")} />}
        </>
      );
    case "interrupted":
      return <CheckChip tone="warn" sign={Square} text={t("checks.status.interrupted")} />;
    case "stale": {
      const passed = rows.filter((row) => row.state === "passed").length;
      return (
        <>
          {passed > 0 && (
            <CheckChip
              tone="pass"
              sign={Check}
              text={t("checks.status.passed", { count: passed })}
            />
          )}
          <CheckChip tone="warn" sign={Clock} text={t("checks.status.stale")} />
        </>
      );
    }
    case "passed":
      return <CheckChip tone="pass" sign={Check} text={t("checks.status.passed", { count })} />;
  }
}

type CheckChipProps = { tone: Tone; sign: typeof Check; text: string };

function CheckChip({ tone, sign: Sign, text }: CheckChipProps) {
  return (
    <Chip tone={tone}>
      <Sign
        size={11}
        strokeWidth={2.5}
        fill={Sign === Square ? "currentColor" : "none"}
        aria-hidden="true"
      />
      {text}
    </Chip>
  );
}
