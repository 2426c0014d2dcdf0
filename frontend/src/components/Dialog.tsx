// A window over the page. Escape and the close button end it, and focus goes back where it was.

import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { IconButton } from "./Button.tsx";
import css from "./Dialog.module.css";
import hidden from "./Hidden.module.css";

export type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** The name of the close button; without one there is none, and no title bar either. */
  closeLabel?: string;
  children: ReactNode;
  /** Buttons at the foot. */
  actions?: ReactNode;
  width?: "normal" | "wide";
  /** There is no control in it: the body takes the focus itself, so that the keys scroll it. */
  isText?: boolean;
  /** What has the focus first; else the first control. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** What has it afterwards: `true` for what had it before, `false` for what takes it itself. */
  finalFocus?: () => HTMLElement | boolean;
};

export function Dialog({
  open,
  onOpenChange,
  title,
  closeLabel,
  children,
  actions,
  width = "normal",
  isText = false,
  initialFocus,
  finalFocus,
}: DialogProps) {
  const size = width === "wide" ? css.wide : "";
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className={css.backdrop} />
        <Base.Popup
          className={`${css.popup} ${size}`}
          {...(initialFocus && { initialFocus })}
          {...(finalFocus && { finalFocus })}
        >
          {closeLabel === undefined ? (
            <Base.Title className={hidden.hidden}>{title}</Base.Title>
          ) : (
            <div className={css.head}>
              <Base.Title className={css.title}>{title}</Base.Title>
              <Base.Close
                render={
                  <IconButton label={closeLabel}>
                    <X size={16} aria-hidden="true" />
                  </IconButton>
                }
              />
            </div>
          )}
          <div className={css.body} {...(isText && { tabIndex: 0 })}>
            {children}
          </div>
          {actions !== undefined && <div className={css.actions}>{actions}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
