// What a write would write, below its path.

import type { ToolDetail } from "../../bindings.ts";
import { Button } from "../../components/Button.tsx";
import { ScrolledText } from "../../components/ScrolledText.tsx";
import { useLocale } from "../../locale/index.ts";
import { Passage } from "../diff/Passage.tsx";
import { type Proposed, proposedWrite } from "../diff/proposed.ts";
import type { Pulled } from "../usePulled.ts";
import { VisibleText } from "../VisibleText.tsx";
import css from "./ApprovalCard.module.css";

export type WouldWriteProps = {
  readonly tool: string;
  readonly path: string;
  readonly pulled: Pulled<ToolDetail>;
  readonly onAgain: () => void;
};

export function WouldWrite({ tool, path, pulled, onAgain }: WouldWriteProps) {
  const { t } = useLocale();
  switch (pulled.is) {
    case "here":
      return <Shown path={path} proposed={proposedWrite(tool, pulled.value.arguments)} />;
    case "loading":
      return (
        <p className={css.note} role="status">
          {t("state.loading")}
        </p>
      );
    case "unavailable":
    case "failed":
      return (
        <p className={css.cut} role="status">
          {t("permission.unseen")} <Button onClick={onAgain}>{t("action.retry")}</Button>
        </p>
      );
  }
}

function Shown({ path, proposed }: { path: string; proposed: Proposed }) {
  const { t } = useLocale();
  if (proposed.is === "other") {
    return (
      <ScrolledText label={t("permission.newText")} look={css.subject}>
        <VisibleText text={proposed.text} />
      </ScrolledText>
    );
  }
  const { rows } = proposed;
  if (rows.length === 0) return <p className={css.note}>{t("permission.emptyFile")}</p>;
  const label = t(proposed.is === "text" ? "permission.newText" : "permission.newPassage");
  return (
    <>
      <div className={css.lines}>
        <Passage rows={rows} path={path} label={label} />
      </div>
      {proposed.is === "passage" && proposed.everywhere && (
        <p className={css.note}>{t("permission.everywhere")}</p>
      )}
    </>
  );
}
