// What a write would write, below its path.

import type { ToolDetail } from "../../bindings.ts";
import { Button } from "../../components/Button.tsx";
import { useLocale } from "../../locale/index.ts";
import { ROW_HEIGHT_PX } from "../diff/DiffLine.tsx";
import { Passage } from "../diff/Passage.tsx";
import type { LineRow } from "../diff/patch.ts";
import type { Pulled } from "../usePulled.ts";
import { VisibleText } from "../VisibleText.tsx";
import css from "./ApprovalCard.module.css";
import { type Proposed, proposedWrite } from "./proposed.ts";

/** About the letters of a line, to tell how high the lines are before they are there. */
const LINE_LETTERS = 72;

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

function heightOf(rows: readonly LineRow[]): number {
  const lines = rows.map(({ text }) => Math.max(1, Math.ceil(text.length / LINE_LETTERS)));
  return lines.reduce((sum, it) => sum + it, 0) * ROW_HEIGHT_PX + 2;
}

function Shown({ path, proposed }: { path: string; proposed: Proposed }) {
  const { t } = useLocale();
  if (proposed.is === "other") {
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      <pre className={css.subject} tabIndex={0}>
        <VisibleText text={proposed.text} />
      </pre>
    );
  }
  const { rows } = proposed;
  if (rows.length === 0) return <p className={css.note}>{t("permission.emptyFile")}</p>;
  const label = t(proposed.is === "text" ? "permission.newText" : "permission.newPassage");
  return (
    <>
      <div className={css.lines} style={{ height: heightOf(rows) }}>
        <Passage rows={rows} path={path} label={label} />
      </div>
      {proposed.is === "passage" && proposed.everywhere && (
        <p className={css.note}>{t("permission.everywhere")}</p>
      )}
    </>
  );
}
