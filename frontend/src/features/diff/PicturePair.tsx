// A file as it was before a turn and as it is after: two pictures side by side, or one above the
// other where there is little room. What cannot be shown says why.

import { type ReactNode, useEffect, useState } from "react";
import type { PictureGap, PictureMedia, PictureSide, Pictures } from "../../bindings.ts";
import { Button } from "../../components/Button.tsx";
import { useLocale } from "../../locale/index.ts";
import { useFailureText } from "../failureText.ts";
import { type PullKey, usePulled } from "../usePulled.ts";
import css from "./PicturePair.module.css";

export type SideName = keyof Pictures;

export type PicturePairProps = {
  readonly pictures: Pictures;
  readonly path: string;
  /** Names the file of the turn: an answer for another one is never shown. */
  readonly of: PullKey;
  /** Asks for the bytes of a side. */
  readonly pull: (side: SideName) => Promise<Uint8Array<ArrayBuffer>>;
};

const sides: readonly SideName[] = ["before", "after"];

/** Returns whether a side is known to be a picture, if only one that cannot be shown. */
export function hasPicture(pictures: Pictures): boolean {
  return sides.some((side) => {
    const said = pictures[side];
    if (said.is !== "unavailable") return said.is === "picture";
    return said.why !== "removed" && said.why !== "not_kept";
  });
}

export function PicturePair({ pictures, path, of, pull }: PicturePairProps) {
  const { t } = useLocale();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div
      role="group"
      aria-label={t("picture.title", { path })}
      className={css.pair}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
    >
      {sides.map((side) => (
        <figure key={side} className={css.side}>
          <figcaption className={css.caption}>
            <span className={css.when}>{t(`picture.${side}`)}</span>
            <Sizes said={pictures[side]} />
          </figcaption>
          <Shown
            said={pictures[side]}
            alt={t(`picture.${side}Of`, { path })}
            of={[...of, side]}
            pull={() => pull(side)}
          />
        </figure>
      ))}
    </div>
  );
}

/** How large it is; what is not known is left out. */
function Sizes({ said }: { said: PictureSide }) {
  const { t, format } = useLocale();
  if (said.is === "absent") return null;
  const pixels = said.is === "other" ? undefined : (said.pixels ?? undefined);
  const bytes = said.totalBytes ?? undefined;
  return (
    <>
      {pixels !== undefined && <span>{t("picture.pixels", pixels)}</span>}
      {pixels === undefined && said.is === "picture" && <span>{t("picture.noPixels")}</span>}
      {bytes !== undefined && <span>{format.size(bytes)}</span>}
    </>
  );
}

type ShownProps = {
  said: PictureSide;
  alt: string;
  of: PullKey;
  pull: () => Promise<Uint8Array<ArrayBuffer>>;
};

function Shown({ said, alt, of, pull }: ShownProps) {
  const { t } = useLocale();
  switch (said.is) {
    case "absent":
      return <Instead title={t("picture.absent")} />;
    case "other":
      return <Instead title={t("picture.other")} />;
    case "unavailable":
      return <Hidden why={said.why} />;
    case "picture":
      return <PulledPicture media={said.media} alt={alt} of={of} pull={pull} />;
  }
}

type PulledProps = Omit<ShownProps, "said"> & { media: PictureMedia };

function PulledPicture({ media, alt, of, pull }: PulledProps) {
  const { t } = useLocale();
  const failureText = useFailureText();
  const { pulled, again } = usePulled(of, pull);
  switch (pulled.is) {
    case "loading":
      return <Instead title={t("picture.loading")} role="status" />;
    case "unavailable":
      return <Hidden why="removed" />;
    case "failed":
      return (
        <Instead title={t("picture.hidden")} role="alert">
          {failureText(pulled.error)}
          <Button look="outline" onClick={again}>
            {t("action.retry")}
          </Button>
        </Instead>
      );
    case "here":
      return <Drawn key={of.join(" ")} bytes={pulled.value} media={media} alt={alt} />;
  }
}

type DrawnProps = { bytes: Uint8Array<ArrayBuffer>; media: PictureMedia; alt: string };

function Drawn(props: DrawnProps) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <Hidden why="broken" />;
  return <Picture {...props} onBroken={() => setBroken(true)} />;
}

/** In an `img` nothing of a picture runs, and it loads nothing. */
function Picture({ bytes, media, alt, onBroken }: DrawnProps & { onBroken: () => void }) {
  const url = useUrl(bytes, media);
  if (url === undefined) return null;
  return <img className={css.picture} src={url} alt={alt} onError={onBroken} />;
}

/** A URL of bytes, for as long as they are shown. */
function useUrl(bytes: Uint8Array<ArrayBuffer>, media: PictureMedia): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type: media }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, media]);
  return url;
}

function Hidden({ why }: { why: PictureGap }) {
  const { t } = useLocale();
  return <Instead title={t("picture.hidden")}>{t(`pictureGap.${why}`)}</Instead>;
}

type InsteadProps = { title: string; role?: "status" | "alert"; children?: ReactNode };

function Instead({ title, role, children }: InsteadProps) {
  return (
    <div role={role} className={css.instead}>
      <span className={css.title}>{title}</span>
      {children}
    </div>
  );
}
