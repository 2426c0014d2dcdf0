// A file of a result as pictures, as far as it is one.

import type { ReactNode } from "react";
import type { Backend } from "../../backend/backend.ts";
import type { Pictures, SessionId } from "../../bindings.ts";
import { Button } from "../../components/Button.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { useLocale } from "../../locale/index.ts";
import type { FileRow, TurnResultView } from "../../state/turnResult.ts";
import { hasPicture, PicturePair } from "../diff/PicturePair.tsx";
import { useFailureText } from "../failureText.ts";
import { usePulled } from "../usePulled.ts";

export type FilePicturesProps = {
  backend: Pick<Backend, "pictures" | "picture">;
  session: SessionId;
  view: TurnResultView;
  file: FileRow;
  /** What stands there if no side is known to be a picture. */
  none: (pictures: Pictures | undefined) => ReactNode;
};

export function FilePictures({ backend, session, view, file, none }: FilePicturesProps) {
  const { t } = useLocale();
  const failureText = useFailureText();
  const { turn, resultId } = view;
  const of = [session, resultId, turn, file.path, "pictures"];
  const { pulled, again } = usePulled(of, () => backend.pictures(session, turn, file.path));
  switch (pulled.is) {
    case "loading":
      return <EmptyState title={t("picture.loading")} role="status" />;
    case "unavailable":
      return none(undefined);
    case "failed": {
      const retry = (
        <Button look="outline" onClick={again}>
          {t("action.retry")}
        </Button>
      );
      return (
        <EmptyState title={t("picture.failed")} role="alert" actions={retry}>
          {failureText(pulled.error)}
        </EmptyState>
      );
    }
    case "here":
      if (!hasPicture(pulled.value)) return none(pulled.value);
      return (
        <PicturePair
          pictures={pulled.value}
          path={file.path}
          of={of}
          pull={(side) => backend.picture(session, turn, file.path, side)}
        />
      );
  }
}

/** An SVG is a text that can be drawn. What the file holds, the host tells. */
export function canBeDrawn(file: FileRow): boolean {
  return file.path.toLowerCase().endsWith(".svg");
}

/** Returns whether a side of it was there once and is kept no more. */
export function wasCleaned(pictures: Pictures | undefined): boolean {
  if (pictures === undefined) return false;
  const { before, after } = pictures;
  return [before, after].some((it) => it.is === "unavailable" && it.why === "removed");
}
