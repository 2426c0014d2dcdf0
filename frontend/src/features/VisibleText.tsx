// A text in which nothing is hidden: what has no picture of its own is named and marked.

import css from "./VisibleText.module.css";
import { visibleParts } from "./visible.ts";

/** On one line a line break is shown and does not break. */
export function VisibleText({ text, oneLine = false }: { text: string; oneLine?: boolean }) {
  return visibleParts(text).map((part, index) =>
    part.code === undefined ? (
      part.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their places.
      <mark key={index} className={css.unseen} title={part.code}>
        {oneLine ? part.text.trimEnd() : part.text}
      </mark>
    ),
  );
}
