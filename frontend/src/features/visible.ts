// Makes characters visible that a screen would hide: what is approved must be what is seen.

/** A piece of a text: as it is, or a stand-in for one character that has no picture of its own. */
export type VisiblePart = { readonly text: string; readonly code: string | undefined };

/** Controls, marks of direction, joiners, fillers, and every space but the plain one. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

/** Splits a text into what shows itself and what has to be named. */
export function visibleParts(text: string): VisiblePart[] {
  const parts: VisiblePart[] = [];
  let from = 0;
  for (const match of text.matchAll(UNSEEN)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), code: undefined });
    parts.push(standIn(match[0]));
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), code: undefined });
  return parts;
}

/** A line still breaks where the text breaks it. */
function standIn(character: string): VisiblePart {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  if (character === "\n") return { text: "⏎\n", code };
  if (character === "\t") return { text: "⇥", code };
  return { text: code, code };
}
