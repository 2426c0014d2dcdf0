// What is said of a listed session wherever it is named.

import type { SessionSummary } from "../../bindings.ts";
import type { Translate } from "../../locale/index.ts";

export function isReadable({ unreadable }: SessionSummary): boolean {
  return unreadable === undefined || unreadable === null;
}

/** Its title; its id where nothing of it can be read. */
export function titleOf(summary: SessionSummary, t: Translate): string {
  if (!isReadable(summary)) return summary.session;
  return summary.title || t("sessions.untitled");
}
