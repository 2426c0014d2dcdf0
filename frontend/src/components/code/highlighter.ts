// Asks the worker for the colours of code. Where there is no worker, code stays plain.

import type { Language } from "./languages.ts";
import type { Token } from "./tokens.ts";

export type Question = { id: number; code: string; language: Language };

/** No lines where the code could not be read. */
export type Reply = { id: number; lines: Token[][] };

/** Longer code stays plain. */
export const CODE_LIMIT_CHARS = 300_000;

let worker: Worker | undefined;
let lastId = 0;
const waiting = new Map<number, (lines: Token[][]) => void>();

/** Returns the tokens of each line; none where the code stays plain. */
export function highlight(code: string, language: Language): Promise<Token[][]> {
  if (typeof Worker === "undefined" || code.length > CODE_LIMIT_CHARS) return Promise.resolve([]);
  worker ??= start();
  lastId += 1;
  const question: Question = { id: lastId, code, language };
  worker.postMessage(question);
  return new Promise((resolve) => waiting.set(question.id, resolve));
}

function start(): Worker {
  const started = new Worker(new URL("./highlight.worker.ts", import.meta.url), { type: "module" });
  started.onmessage = (event: MessageEvent<Reply>) => {
    waiting.get(event.data.id)?.(event.data.lines);
    waiting.delete(event.data.id);
  };
  started.onerror = () => {
    for (const resolve of waiting.values()) resolve([]);
    waiting.clear();
  };
  return started;
}
