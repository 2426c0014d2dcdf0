// What a link of an answer does. It stands apart from the rows, so that none is drawn anew for it.

import { createContext } from "react";

export const OnLink = createContext<(url: string) => void>(() => {});

/** Only pages of the web are opened. */
export function isPage(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
