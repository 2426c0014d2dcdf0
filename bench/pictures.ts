// A turn that changed pictures, and what is kept of them: a text that can be drawn, and bytes of which one
// side was too large.

import type { RecordedPictures } from "../frontend/src/backend/replay.ts";
import type { EventKind, PictureSide, TurnFile } from "../frontend/src/bindings.ts";
import { begun, done, ended, receipt, said, started, used } from "../frontend/src/app/tests/events.ts";

/** A turn that changed these files. */
export const redLogo = (files: TurnFile[]): EventKind[] => [
  started(0, "Make the logo red, with a rounder corner."),
  begun("c1", "edit_file", "assets/logo.svg"),
  ended("c1", "edit_file", "assets/logo.svg", "edited assets/logo.svg: 2 replacements"),
  said("m1", "The logo is red, and stands alone in `mark.svg`."),
  used("m1", 12_000, 11_400, 240),
  done(receipt(0, files)),
];

/** The same turn, of which nothing was kept after the start of its edit. */
export const cutOff: readonly EventKind[] = [
  started(0, "Make the logo red, with a rounder corner."),
  begun("c1", "read_file", "assets/logo.svg"),
  ended("c1", "read_file", "assets/logo.svg", "1\t<svg>"),
  said("m1", "The corner is in the path of the first tile."),
  begun("c2", "edit_file", "assets/logo.svg"),
];

/** The patch and the pictures that are kept. */
export function keptPictures() {
  const [old, changed] = [logo("#3455c4", 24), logo("#b0352a", 36)];
  const lines = (sign: string, text: string) => text.replaceAll(/^/gm, sign);
  const head = (path: string) => `--- a/${path}\n+++ b/${path}\n`;
  const patch = `${head("assets/logo.svg")}@@ -1,3 +1,3 @@\n${lines("-", old)}\n${lines("+", changed)}\n`;
  const large: PictureSide = {
    is: "unavailable",
    why: "too_large",
    totalBytes: 12_400_000,
    pixels: { width: 5120, height: 2880 },
  };
  const pictures = new Map<string, RecordedPictures>([
    ["assets/logo.svg", { said: { before: svg(old), after: svg(changed) }, bytes: bytesOf(old, changed) }],
    ["docs/window.png", { said: { before: large, after: svg(old) }, bytes: bytesOf(old, old) }],
  ]);
  return { patches: new Map([["assets/logo.svg", patch]]), pictures };
}

function bytesOf(before: string, after: string) {
  const encoder = new TextEncoder();
  return { before: encoder.encode(before), after: encoder.encode(after) };
}

function svg({ length }: string): PictureSide {
  const pixels = { width: 160, height: 120 };
  return { is: "picture", media: "image/svg+xml", totalBytes: length, pixels };
}

/** A tile with a letter that lets through what is below it. */
function logo(colour: string, round: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120">
  <path fill="${colour}" fill-rule="evenodd" d="M${round} 8H152V112H8V${round}ZM60 30V90H104V76H76V66H98V54H76V44H104V30Z"/>
</svg>`;
}
