// How a line of a file is put on screen: bounded, and with nothing in it that hides or reorders.

/** What is beyond is counted, not shown. */
export const SHOWN_LIMIT_CHARS = 2_000;
const TAB_COLUMNS = 4;

/**
 * Controls but the tab, what turns the direction of text around, and what has no width. Joiners
 * belong into emoji and into many scripts, so they are looked for beside plain letters alone.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is controls that are looked for.
  /[\0-\x08\x0a-\x1f\x7f\xad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0]|(?<=^|[\0-\x7f])[\u200c\u200d]|\u034f/g;
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/g;

/** Gives every hidden character a picture. Each stands for one, so places stay what they were. */
export function shownText(text: string): string {
  return text.slice(0, SHOWN_LIMIT_CHARS).replace(UNSEEN, (character) => {
    const code = character.charCodeAt(0);
    if (code === 0x7f) return "\u2421";
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\ufffd";
  });
}

/** Returns about how many columns the widest of the lines takes. */
export function columnsOf(lines: Iterable<string>): number {
  let most = 0;
  for (const line of lines) {
    // Most lines are not the widest whatever is in them.
    if (line.length * TAB_COLUMNS <= most) continue;
    const text = line.slice(0, SHOWN_LIMIT_CHARS);
    const tabs = text.split("\t").length - 1;
    const wide = text.match(WIDE)?.length ?? 0;
    most = Math.max(most, text.length + tabs * (TAB_COLUMNS - 1) + wide);
  }
  return most;
}
