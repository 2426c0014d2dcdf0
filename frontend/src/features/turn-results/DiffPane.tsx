// The frozen diff of a turn: its files, and the patch or the pictures of the chosen one.

import { Image } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Backend } from "../../backend/backend.ts";
import type { SessionId } from "../../bindings.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { PathText } from "../../components/PathText.tsx";
import { useLocale } from "../../locale/index.ts";
import {
  detailView,
  type FileRow,
  type PulledPatch,
  type TurnResultView,
} from "../../state/turnResult.ts";
import { DiffViewer } from "../diff/DiffViewer.tsx";
import { parsePatch, patchText } from "../diff/patch.ts";
import { useFailureText } from "../failureText.ts";
import { type Pulled, usePulled } from "../usePulled.ts";
import { ChangeSummary } from "./ChangeSummary.tsx";
import { CountText, KindMark, TrustMark } from "./FileFacts.tsx";
import { FilePicker } from "./FilePicker.tsx";
import { canBeDrawn, FilePictures, type FilePicturesProps, wasCleaned } from "./FilePictures.tsx";
import css from "./Panes.module.css";
import { useAllFiles } from "./useAllFiles.ts";

export type DiffPaneProps = {
  backend: Pick<Backend, "patch" | "pictures" | "picture" | "turnChanges">;
  session: SessionId;
  view: TurnResultView;
  /** The chosen file; the first one if it is not of this turn. */
  path: string | undefined;
  onPath: (path: string) => void;
};

export function DiffPane({ backend, session, view, path, onPath }: DiffPaneProps) {
  const { t } = useLocale();
  const { files, rest } = useAllFiles(backend, session, view);
  const [isSplit, setSplit] = useState(false);
  const [isDrawn, setDrawn] = useState(false);
  const file = files.find((it) => it.path === path) ?? files[0];
  if (file === undefined) {
    return (
      <EmptyState title={<ChangeSummary changes={view.changes} />}>
        {rest.pulled.is === "loading" ? t("state.loading") : undefined}
      </EmptyState>
    );
  }
  return (
    <div className={css.pane}>
      {view.totalFiles > 1 && <FilePicker files={files} path={file.path} onPath={onPath} />}
      {rest.pulled.is !== "here" && <RestOfFiles {...rest} />}
      <FileDetail
        backend={backend}
        session={session}
        view={view}
        file={file}
        isSplit={isSplit}
        onSplit={setSplit}
        isDrawn={isDrawn}
        onDrawn={setDrawn}
      />
    </div>
  );
}

/** Says that the list is not whole yet. */
function RestOfFiles({ pulled, again }: { pulled: Pulled<unknown>; again: () => void }) {
  const { t } = useLocale();
  return (
    <div className={css.bar} role="status">
      {pulled.is === "loading" ? t("state.loading") : t("inspector.failed")}
      {pulled.is !== "loading" && <Button onClick={again}>{t("action.retry")}</Button>}
    </div>
  );
}

type FileDetailProps = Pick<DiffPaneProps, "session" | "view"> & {
  backend: Pick<Backend, "patch" | "pictures" | "picture">;
  file: FileRow;
  isSplit: boolean;
  onSplit: (isSplit: boolean) => void;
  /** A text that can be drawn is shown as pictures. */
  isDrawn: boolean;
  onDrawn: (isDrawn: boolean) => void;
};

/** One file: its patch, or why there is none to show (UI-7). */
function FileDetail(props: FileDetailProps) {
  const { backend, session, view, file, isDrawn } = props;
  const { t } = useLocale();
  const failureText = useFailureText();
  const key = [session, view.resultId, view.turn, file.path];
  const { pulled, again } = usePulled(key, () => backend.patch(session, view.turn, file.path));
  const of = { backend, session, view, file };
  const head = <FileHead file={file} label={view.label} />;
  if (pulled.is === "failed") {
    const retry = (
      <Button look="outline" onClick={again}>
        {t("action.retry")}
      </Button>
    );
    return (
      <Plain head={head}>
        <EmptyState title={t("inspector.failed")} role="alert" actions={retry}>
          {failureText(pulled.error)}
        </EmptyState>
      </Plain>
    );
  }
  const patch = asPatch(pulled);
  const shown = detailView(file, patch);
  switch (shown) {
    case "loading":
      return (
        <Plain head={head}>
          <EmptyState title={t("diff.loading")} role="status" />
        </Plain>
      );
    case "unavailable":
      return (
        <WithoutDiff {...of} head={head} title={t("diff.unavailable")}>
          {file.unavailable === undefined ? t("card.cleaned") : t(`gap.${file.unavailable}`)}
        </WithoutDiff>
      );
    case "binary":
      return (
        <Plain head={head}>
          <FilePictures
            {...of}
            none={(pictures) => (
              <EmptyState title={t("diff.binary")}>
                {wasCleaned(pictures) ? t("card.cleaned") : undefined}
              </EmptyState>
            )}
          />
        </Plain>
      );
    case "mode_only":
      return (
        <Plain head={head}>
          <EmptyState title={t("diff.modeOnly")}>
            <ModeText patch={patch} />
          </EmptyState>
        </Plain>
      );
    case "limited":
      return <WithoutDiff {...of} head={head} title={t("diff.limited")} />;
    case "no_net_changes":
      return (
        <Plain head={head}>
          <EmptyState title={t("diff.none")} />
        </Plain>
      );
    case "diff":
      return (
        <div className={css.file}>
          {patch.is === "patch" && (
            <DiffViewer
              key={key.join(" ")}
              patch={patch.bytes}
              path={file.path}
              head={head}
              tool={canBeDrawn(file) && <DrawnButton {...props} />}
              instead={
                canBeDrawn(file) && isDrawn ? (
                  <FilePictures {...of} none={() => <EmptyState title={t("picture.none")} />} />
                ) : undefined
              }
              isSplit={props.isSplit}
              onSplit={props.onSplit}
            />
          )}
        </div>
      );
  }
}

type WithoutDiffProps = Omit<FilePicturesProps, "none"> & {
  head: ReactNode;
  title: string;
  children?: ReactNode;
};

/** Why there is no diff. What can be drawn is shown below that, as far as it is kept. */
function WithoutDiff({ head, title, children, ...of }: WithoutDiffProps) {
  const { t } = useLocale();
  if (!canBeDrawn(of.file)) {
    return (
      <Plain head={head}>
        <EmptyState title={title}>{children}</EmptyState>
      </Plain>
    );
  }
  return (
    <Plain head={head}>
      <div className={css.bar}>
        <span>{title}</span>
        {children !== undefined && <span>{children}</span>}
      </div>
      <FilePictures {...of} none={() => <EmptyState title={t("picture.none")} />} />
    </Plain>
  );
}

function DrawnButton({ isDrawn, onDrawn }: Pick<FileDetailProps, "isDrawn" | "onDrawn">) {
  const { t } = useLocale();
  return (
    <IconButton label={t("picture.show")} aria-pressed={isDrawn} onClick={() => onDrawn(!isDrawn)}>
      <Image size={15} aria-hidden="true" />
    </IconButton>
  );
}

function asPatch(pulled: Pulled<Uint8Array>): PulledPatch {
  switch (pulled.is) {
    case "here":
      return { is: "patch", bytes: pulled.value };
    case "loading":
      return { is: "loading" };
    case "failed":
    case "unavailable":
      return { is: "unavailable" };
  }
}

function ModeText({ patch }: { patch: PulledPatch }) {
  const { t } = useLocale();
  if (patch.is !== "patch") return null;
  const { mode } = parsePatch(patchText(patch.bytes));
  return mode.is === "changed" ? t("patch.mode", { from: mode.from, to: mode.to }) : null;
}

function Plain({ head, children }: { head: ReactNode; children: ReactNode }) {
  return (
    <div className={css.file}>
      <div className={css.plainHead}>{head}</div>
      {children}
    </div>
  );
}

function FileHead({ file, label }: { file: FileRow; label: number }) {
  const { t } = useLocale();
  return (
    <>
      <span className={css.name}>
        <KindMark kind={file.kind} />
        <PathText path={file.path} />
      </span>
      <CountText count={file.count} />
      <TrustMark level={file.level} />
      <span className={css.frozen}>{t("inspector.frozen", { turn: label })}</span>
    </>
  );
}
