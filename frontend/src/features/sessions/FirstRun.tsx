// Where no session is on the screen: choose a folder, then a provider; or try the demo.

import type { ReactNode } from "react";
import { Button } from "../../components/Button.tsx";
import { PathText } from "../../components/PathText.tsx";
import { useLocale } from "../../locale/index.ts";
import css from "./FirstRun.module.css";
import { FolderField } from "./FolderField.tsx";

export type FirstRunProps = {
  /** The folder that was chosen, while a provider is still to be. */
  readonly folder: string | undefined;
  /** The form for the provider. */
  readonly provider: ReactNode;
  readonly isBusy: boolean;
  readonly openFolderKeys: string;
  /** Shows the system's dialog. */
  readonly onOpenFolder: () => void;
  readonly onOpenPath: (path: string) => Promise<void>;
  readonly onDemo: () => void;
  /** Goes on without a provider; one can be chosen later. */
  readonly onSkip: () => void;
};

export function FirstRun(props: FirstRunProps) {
  const { t } = useLocale();
  if (props.folder === undefined) return <Begin {...props} />;
  return (
    <section className={`${css.card} ${css.wide}`} aria-labelledby="first-run-provider">
      <div className={css.head}>
        <h2 id="first-run-provider" className={css.title}>
          {t("firstRun.provider")}
        </h2>
        <p>{t("firstRun.providerHint")}</p>
        <p className={css.folder}>
          <PathText path={props.folder} />
        </p>
      </div>
      <div className={css.form}>{props.provider}</div>
      <div className={css.later}>
        <Button onClick={props.onSkip}>{t("room.laterProvider")}</Button>
        <Button disabled={props.isBusy} onClick={props.onDemo}>
          {t("firstRun.tryDemo")}
        </Button>
      </div>
    </section>
  );
}

function Begin(props: FirstRunProps) {
  const { t } = useLocale();
  return (
    <section className={css.card} aria-labelledby="first-run-folder">
      <div className={css.head}>
        <h2 id="first-run-folder" className={css.title}>
          {t("firstRun.folder")}
        </h2>
        <p>{t("firstRun.folderHint")}</p>
      </div>
      <div className={css.choices}>
        <Button
          look="filled"
          keys={props.openFolderKeys}
          autoFocus
          data-first-focus=""
          onClick={props.onOpenFolder}
        >
          {t("firstRun.openFolder")}
        </Button>
        <Button
          look="outline"
          disabled={props.isBusy}
          aria-describedby="first-run-demo"
          onClick={props.onDemo}
        >
          {t("firstRun.tryDemo")}
        </Button>
      </div>
      <p id="first-run-demo" className={css.demo} role="status">
        {props.isBusy ? t("demo.starting") : t("firstRun.demoHint")}
      </p>
      <div className={css.path}>
        <FolderField onOpen={props.onOpenPath} />
      </div>
    </section>
  );
}
