// All files of a result, with their counts; the chosen one is shown below.

import { PathText } from "../../components/PathText.tsx";
import { VirtualList } from "../../components/VirtualList.tsx";
import { useLocale } from "../../locale/index.ts";
import type { FileRow } from "../../state/turnResult.ts";
import { CountText, KindMark, TrustMark } from "./FileFacts.tsx";
import css from "./FilePicker.module.css";

const ROW_HEIGHT_PX = 26;
/** More rows scroll, so that the diff keeps its room. */
const ROWS_IN_VIEW = 6;

export type FilePickerProps = {
  files: readonly FileRow[];
  path: string | undefined;
  onPath: (path: string) => void;
};

export function FilePicker({ files, path, onPath }: FilePickerProps) {
  const { t } = useLocale();
  const rows = Math.min(ROWS_IN_VIEW, files.length);
  return (
    <div className={css.list} style={{ height: rows * ROW_HEIGHT_PX + 1 }}>
      <VirtualList
        items={files}
        role="listbox"
        label={t("inspector.files")}
        active={files.findIndex((file) => file.path === path)}
        onActive={(index) => {
          const file = files[index];
          if (file !== undefined) onPath(file.path);
        }}
        rowHeightPx={ROW_HEIGHT_PX}
        rowClass={() => css.row ?? ""}
        row={(file) => (
          <>
            <KindMark kind={file.kind} />
            <span className={css.name}>
              <PathText path={file.path} />
            </span>
            <TrustMark level={file.level} short />
            <CountText count={file.count} />
          </>
        )}
      />
    </div>
  );
}
