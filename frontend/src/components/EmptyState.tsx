// What stands where there is nothing to show, and says why: nothing yet, loading, or not to be had.

import type { ReactNode } from "react";
import css from "./EmptyState.module.css";

export type EmptyStateProps = {
  title: ReactNode;
  children?: ReactNode;
  /** Buttons that lead on. */
  actions?: ReactNode;
  /** `status`: something is awaited; shown if it takes long. `alert`: announced at once. */
  role?: "status" | "alert";
};

export function EmptyState({ title, children, actions, role }: EmptyStateProps) {
  return (
    <div className={css.empty}>
      <div role={role} className={role === "status" ? css.late : undefined}>
        <div className={css.title}>{title}</div>
        {children !== undefined && <div>{children}</div>}
      </div>
      {actions !== undefined && <div className={css.actions}>{actions}</div>}
    </div>
  );
}
