// The whole of messages that came in part. It outlives the rows, which come and go with the window.

import type { MessageBody } from "../../backend/backend.ts";
import type { MessageId } from "../../bindings.ts";

/** As many are kept as a reader may have passed just now. */
const KEPT = 50;

export type WholeTexts = {
  /** What was loaded already. */
  readonly known: (message: MessageId) => MessageBody | undefined;
  readonly load: (message: MessageId) => Promise<MessageBody>;
};

export function wholeTexts(load: (message: MessageId) => Promise<MessageBody>): WholeTexts {
  const kept = new Map<MessageId, MessageBody>();
  return {
    known: (message) => kept.get(message),
    load: async (message) => {
      const body = await load(message);
      kept.set(message, body);
      const [oldest] = kept.keys();
      if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
      return body;
    },
  };
}
