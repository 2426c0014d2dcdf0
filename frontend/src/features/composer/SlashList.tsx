// The list above the message field while a word after a slash is typed.

import { useLocale } from "../../locale/index.ts";
import css from "./SlashList.module.css";
import type { Slash, SlashChoice } from "./slash.ts";

export type SlashListProps = {
  readonly id: string;
  readonly slash: Slash;
  readonly draft: string;
  readonly active: SlashChoice | undefined;
  readonly hasTurns: boolean;
  readonly onChoose: (choice: SlashChoice) => void;
};

export function SlashList({ id, slash, draft, active, hasTurns, onChoose }: SlashListProps) {
  const { t } = useLocale();
  return (
    <div className={css.popup}>
      {slash.choices.length === 0 && (
        <p className={css.none} role="status">
          {t("commands.slash.unknown", { word: draft })}
        </p>
      )}
      <div id={id} role="listbox" aria-label={t("commands.title")}>
        {slash.choices.map((choice) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the message field's.
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the message field.
          <div
            key={choice.id}
            id={`${id}-${choice.id}`}
            className={css.choice}
            role="option"
            aria-selected={choice === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(choice)}
          >
            <span>{choice.label}</span>
            <span className={css.hint}>
              <Hint choice={choice} />
            </span>
          </div>
        ))}
      </div>
      {slash.word !== undefined && hasTurns && (
        <p className={css.warning}>{t("modelChoice.warning")}</p>
      )}
    </div>
  );
}

function Hint({ choice }: { choice: SlashChoice }) {
  const { t, format } = useLocale();
  switch (choice.is) {
    case "word":
      return t(`commands.slash.${choice.word}`);
    case "model":
      return [
        ...(choice.isCurrent ? [t("modelChoice.current")] : []),
        choice.contextTokens === null
          ? t("modelChoice.windowUnknown")
          : t("modelChoice.window", { tokens: format.compact(choice.contextTokens) }),
      ].join(" · ");
    case "provider":
      return null;
  }
}
