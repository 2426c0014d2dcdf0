// In place of a page that cannot be drawn: what went wrong, and the way back. What is stored is not
// touched by it, and a turn that runs goes on in the host.

import { Component, type ReactNode } from "react";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { useLocale } from "../locale/index.ts";
import css from "./App.module.css";

type State = { readonly error: unknown };

export class Crash extends Component<{ children: ReactNode }, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render() {
    const { error } = this.state;
    return error === undefined ? this.props.children : <Said error={error} />;
  }
}

function Said({ error }: { error: unknown }) {
  const { t } = useLocale();
  return (
    <main className={css.middle}>
      <EmptyState
        title={t("error.internal")}
        role="alert"
        actions={
          <Button look="outline" onClick={() => location.reload()}>
            {t("action.reload")}
          </Button>
        }
      >
        {String(error)}
      </EmptyState>
    </main>
  );
}
