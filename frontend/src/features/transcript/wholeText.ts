// Texts that came in part: whether one did, and the whole of a message once it was asked for.

import { useEffect, useState } from "react";
import type { MessageBody } from "../../backend/backend.ts";
import type { CappedText, MessageId } from "../../bindings.ts";

const bytes = new TextEncoder();

/** Whether there is more of a text than it holds. */
export function isCut(text: CappedText | undefined): boolean {
  if (text === undefined || text.totalBytes <= text.text.length) return false;
  return text.totalBytes > bytes.encode(text.text).length;
}

export type Whole =
  | { readonly is: "not_asked" }
  | { readonly is: "loading" }
  | { readonly is: "failed" }
  | { readonly is: "loaded"; readonly body: MessageBody };

/** An answer that arrives when the row is gone, or shows another message, is dropped. */
export function useWhole(
  message: MessageId,
  load: (message: MessageId) => Promise<MessageBody>,
): { whole: Whole; ask: () => void } {
  const [asked, setAsked] = useState(0);
  const [whole, setWhole] = useState<Whole>({ is: "not_asked" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `load` is made anew with its owner.
  useEffect(() => {
    if (asked === 0) return;
    let dropped = false;
    setWhole({ is: "loading" });
    load(message).then(
      (body) => !dropped && setWhole({ is: "loaded", body }),
      () => !dropped && setWhole({ is: "failed" }),
    );
    return () => {
      dropped = true;
    };
  }, [asked, message]);
  return { whole, ask: () => setAsked((it) => it + 1) };
}
