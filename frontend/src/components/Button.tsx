// The button: plain, outlined, filled, accented, or an icon with a name.

import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import css from "./Button.module.css";

type ButtonOwn = {
  /** `filled` is the one that Enter is meant for; there is at most one in view. */
  look?: "plain" | "outline" | "filled" | "accent";
  /** A shortcut, shown beside the text. */
  keys?: string;
  children: ReactNode;
  ref?: Ref<HTMLButtonElement>;
};

export type ButtonProps = ButtonOwn & Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className">;

export function Button({ look = "plain", keys, children, type, ...rest }: ButtonProps) {
  return (
    <button type={type ?? "button"} className={`${css.button} ${looks[look] ?? ""}`} {...rest}>
      {children}
      {keys !== undefined && (
        <span className={css.keys} aria-hidden="true">
          {keys}
        </span>
      )}
    </button>
  );
}

const looks = {
  plain: "",
  outline: css.outline,
  filled: css.filled,
  accent: css.accent,
};

type IconOwn = {
  /** What it does; heard, and seen when pointed at. */
  label: string;
  /** The icon. */
  children: ReactNode;
  ref?: Ref<HTMLButtonElement>;
};

export type IconButtonProps = IconOwn &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className" | "aria-label" | "title">;

/** A button that shows an icon only. */
export function IconButton({ label, children, type, ...rest }: IconButtonProps) {
  return (
    <button
      type={type ?? "button"}
      className={`${css.button} ${css.icon}`}
      aria-label={label}
      title={label}
      {...rest}
    >
      {children}
    </button>
  );
}
