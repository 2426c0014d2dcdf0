// The exact subject of a question. Where the event holds only its start, the rest is asked for:
// nobody is to allow what they cannot see.

import { useEffect, useState } from "react";
import type { ToolCallId, ToolDetail } from "../../bindings.ts";
import type { Asking } from "../../state/session.ts";

export type Subject = {
  readonly text: string;
  readonly totalBytes: number;
  /** A part of it cannot be shown. */
  readonly isHidden: boolean;
};

export function useWholeSubject(
  { call, subject }: Asking,
  loadDetail: (call: ToolCallId) => Promise<ToolDetail>,
): Subject {
  const isCut = subject.totalBytes > new TextEncoder().encode(subject.text).length;
  const [whole, setWhole] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `loadDetail` is made anew with its owner.
  useEffect(() => {
    if (!isCut) return;
    let dropped = false;
    loadDetail(call).then(
      (detail) => !dropped && setWhole(detail.arguments),
      () => {},
    );
    return () => {
      dropped = true;
    };
  }, [call, isCut]);
  if (!isCut) return { text: subject.text, totalBytes: subject.totalBytes, isHidden: false };
  return {
    text: whole ?? subject.text,
    totalBytes: subject.totalBytes,
    isHidden: whole === undefined,
  };
}
