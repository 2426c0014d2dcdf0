// The first files of a result, one row each; a row opens the file's diff.

import { PathText } from "../../components/PathText.tsx";
import { useLocale } from "../../locale/index.ts";
import type { FileRow } from "../../state/turnResult.ts";
import { CountText, KindMark, TrustMark } from "./FileFacts.tsx";
import css from "./TurnResultCard.module.css";

/** More are behind one row that says how many. */
const SHOWN_FILES = 8;

export type FileListProps = {
  files: readonly FileRow[];
  totalFiles: number;
  /** Without a path: the first file. */
  onOpen: (path?: string) => void;
};

export function FileList({ files, totalFiles, onOpen }: FileListProps) {
  const { t } = useLocale();
  if (totalFiles === 0) return null;
  const shown = files.slice(0, totalFiles > SHOWN_FILES + 1 ? SHOWN_FILES : SHOWN_FILES + 1);
  const more = totalFiles - shown.length;
  const next = files[shown.length];
  return (
    <ul className={css.rows} aria-label={t("card.fileList")}>
      {shown.map((file) => (
        <li key={file.path}>
          <button
            type="button"
            className={file.level === "written" ? css.row : `${css.row} ${css.marked}`}
            onClick={() => onOpen(file.path)}
          >
            <span className={css.sign}>
              <KindMark kind={file.kind} />
            </span>
            <span className={css.body}>
              <span className={css.name}>
                <PathText path={file.path} />
              </span>
              <span className={css.facts}>
                <TrustMark level={file.level} />
                <CountText count={file.count} />
              </span>
            </span>
          </button>
        </li>
      ))}
      {more > 0 && (
        <li>
          <button type="button" className={css.row} onClick={() => onOpen(next?.path)}>
            <span className={css.more}>{t("card.moreFiles", { count: more })}</span>
          </button>
        </li>
      )}
    </ul>
  );
}
