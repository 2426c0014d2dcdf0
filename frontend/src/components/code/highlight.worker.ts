// Colours code apart from the window, so that a large file never holds it up.

import type { Question, Reply } from "./highlighter.ts";
import { tokenise } from "./tokenise.ts";

self.onmessage = async (event: MessageEvent<Question>) => {
  const { id, code, language } = event.data;
  try {
    reply({ id, lines: await tokenise(code, language) });
  } catch {
    // Without colours the code is as legible as before.
    reply({ id, lines: [] });
  }
};

function reply(message: Reply) {
  self.postMessage(message);
}
