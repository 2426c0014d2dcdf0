// The facts about one file, each as a sign that also has a word: kind, lines, and how it is known.

import { CircleHelp, Contrast } from "lucide-react";
import type { FileChangeKind, TrustLevel } from "../../bindings.ts";
import { Hidden } from "../../components/Hidden.tsx";
import { useLocale } from "../../locale/index.ts";
import type { FileCount } from "../../state/turnResult.ts";
import { LineCounts } from "../LineCounts.tsx";
import css from "./FileFacts.module.css";

/** The letter in front of a file. */
export function KindMark({ kind }: { kind: FileChangeKind }) {
  const { t } = useLocale();
  return (
    <span className={`${css.mark} ${css[kind]}`} title={t(`fileKind.${kind}`)}>
      <span aria-hidden="true">{t(`fileMark.${kind}`)}</span>
      <Hidden>{t(`fileKind.${kind}`)} </Hidden>
    </span>
  );
}

/** The lines of a file, or why there is no number (UI-7). */
export function CountText({ count }: { count: FileCount }) {
  const { t } = useLocale();
  switch (count.is) {
    case "lines":
      return <LineCounts added={count.added} removed={count.removed} />;
    case "binary":
      return <span className={css.quiet}>{t("fileCount.binary")}</span>;
    case "mode_only":
      return <span className={css.quiet}>{t("fileCount.modeOnly")}</span>;
    case "uncounted":
      return <span className={css.quiet}>{t("fileCount.uncounted")}</span>;
  }
}

type TrustMarkProps = {
  level: TrustLevel;
  /** The sign alone is seen, where the word stands beside the chosen row. */
  short?: boolean;
};

/** How a fact is known, where the host did not write it itself (TL-3). */
export function TrustMark({ level, short = false }: TrustMarkProps) {
  const { t } = useLocale();
  const word = t(`level.${level}`);
  if (level === "written") return null;
  return (
    <span className={css.trust} title={t(`levelHint.${level}`)}>
      {level === "observed" ? (
        <Contrast className={css.halfFilled} size={10} aria-hidden="true" />
      ) : (
        <CircleHelp size={10} aria-hidden="true" />
      )}
      {short ? <Hidden>{word}</Hidden> : word}
    </span>
  );
}
