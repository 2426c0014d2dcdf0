// What is known of one read, for who asks: why it paused, all its lines, and its ids.

import { Fragment } from "react";
import { useLocale } from "../../locale/index.ts";
import type { ShownRead } from "../../state/readStatus.ts";
import { coveredText, linesText } from "../readText.ts";
import css from "./ReadsArea.module.css";

export function ReadFacts({ id, read }: { id: string; read: ShownRead }) {
  const { t, format } = useLocale();
  const { row, phase } = read;
  const because = row.reason === undefined ? t("reads.becauseOpen") : t(`readStop.${row.reason}`);
  const facts = [
    ["why", phase === "paused" ? because : undefined],
    ["covered", coveredText(row, t, format, row.covered.length)],
    ["missing", row.missing.length > 0 ? linesText(row.missing, t, format) : endOf()],
    ["version", format.number(row.generation + 1)],
    ["read", row.readId],
    ["code", row.reason],
  ] as const;
  return (
    <dl id={id} className={css.facts}>
      {facts.map(([name, fact]) =>
        fact === undefined ? null : (
          <Fragment key={name}>
            <dt>{t(`reads.detail.${name}`)}</dt>
            <dd>{name === "read" || name === "code" ? <code>{fact}</code> : fact}</dd>
          </Fragment>
        ),
      )}
    </dl>
  );

  /** Nothing is missing, unless it is not even known where the file ends. */
  function endOf(): string | undefined {
    const isOpen = phase === "reading" || phase === "paused";
    return isOpen && row.total === undefined ? t("reads.missingUnknown") : undefined;
  }
}
