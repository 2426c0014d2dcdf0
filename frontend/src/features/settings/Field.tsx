// A field with its name beside it and a hint below.

import { type Ref, useId } from "react";
import css from "./Field.module.css";

export type FieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly placeholder?: string;
  readonly hint?: string;
  /** Not shown while it is typed. */
  readonly secret?: boolean;
  readonly mono?: boolean;
  readonly input?: Ref<HTMLInputElement>;
  /** The id of a list of proposals. */
  readonly list?: string | undefined;
};

export function Field(props: FieldProps) {
  const id = useId();
  const hint = `${id}-hint`;
  return (
    <div className={css.field}>
      <label htmlFor={id} className={css.label}>
        {props.label}
      </label>
      <div className={css.value}>
        <input
          ref={props.input}
          id={id}
          className={`${css.input} ${props.mono ? css.mono : ""}`}
          type={props.secret ? "password" : "text"}
          autoComplete="off"
          spellCheck={false}
          value={props.value}
          placeholder={props.placeholder}
          list={props.list}
          aria-describedby={props.hint === undefined ? undefined : hint}
          onChange={(event) => props.onValue(event.target.value)}
        />
        {props.hint !== undefined && (
          <p id={hint} className={css.hint}>
            {props.hint}
          </p>
        )}
      </div>
    </div>
  );
}
