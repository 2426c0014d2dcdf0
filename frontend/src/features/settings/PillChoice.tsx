// A few values side by side, of which one is chosen.

import { useId } from "react";
import css from "./PillChoice.module.css";

export type PillChoiceProps<Value extends string> = {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly value: Value | undefined;
  readonly onValue: (value: Value) => void;
};

export function PillChoice<Value extends string>(props: PillChoiceProps<Value>) {
  const name = useId();
  return (
    // No fieldset: WebKitGTK puts a legend above the rest, whatever the style says.
    <div role="radiogroup" aria-labelledby={`${name}-label`} className={css.set}>
      <span id={`${name}-label`} className={css.legend}>
        {props.label}
      </span>
      <div className={css.pills}>
        {props.options.map(({ value, text }) => (
          <label key={value} className={css.pill}>
            <input
              type="radio"
              name={name}
              className={css.radio}
              checked={value === props.value}
              onChange={() => props.onValue(value)}
            />
            {text}
          </label>
        ))}
      </div>
    </div>
  );
}
