// The line above the sessions that searches them. Escape empties it, Down goes to what was found.

import { Search, X } from "lucide-react";
import { type KeyboardEvent, useCallback, useRef } from "react";
import { IconButton } from "../../components/Button.tsx";
import { useLocale } from "../../locale/index.ts";
import css from "./SearchField.module.css";

export type SearchFieldProps = {
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** Opens the first of what was found. */
  readonly onEnter: () => void;
  /** Goes to the list below. */
  readonly onDown: () => void;
  /** Gets the field. */
  readonly input?: ((field: HTMLInputElement | null) => void) | undefined;
};

export function SearchField({ value, onValue, onEnter, onDown, input }: SearchFieldProps) {
  const { t } = useLocale();
  const own = useRef<HTMLInputElement>(null);
  const both = useCallback(
    (field: HTMLInputElement | null) => {
      own.current = field;
      input?.(field);
    },
    [input],
  );
  const pressed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    switch (event.key) {
      case "Escape":
        if (value === "") return;
        onValue("");
        break;
      case "Enter":
        onEnter();
        break;
      case "ArrowDown":
        onDown();
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  return (
    <search className={css.field}>
      <Search size={14} aria-hidden="true" className={css.sign} />
      <input
        ref={both}
        className={css.input}
        type="text"
        aria-label={t("sessions.search")}
        placeholder={t("sessions.search")}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onValue(event.target.value)}
        onKeyDown={pressed}
      />
      {value !== "" && (
        <IconButton
          label={t("sessions.clearSearch")}
          onClick={() => {
            onValue("");
            own.current?.focus();
          }}
        >
          <X size={13} aria-hidden="true" />
        </IconButton>
      )}
    </search>
  );
}
