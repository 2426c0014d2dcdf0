// The keys that hold everywhere in the window, and how they are written.

/** What a key does. */
export type Shortcut =
  | { readonly does: "commands" }
  | { readonly does: "settings" }
  | { readonly does: "openFolder" }
  | { readonly does: "newSession" }
  | { readonly does: "search" }
  | { readonly does: "sidebar" }
  | { readonly does: "inspector" }
  | { readonly does: "recent" }
  | { readonly does: "zoom"; readonly by: ZoomStep }
  | { readonly does: "sheet" }
  | { readonly does: "escape" }
  | { readonly does: "session"; readonly number: number };

/** Larger, smaller, or the first size again. */
export type ZoomStep = 1 | -1 | 0;

export type ShortcutName = Shortcut["does"] | "palette";

export const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

/** What an event says of a key. */
export type Key = Pick<
  KeyboardEvent,
  "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey"
>;

const withCommand: ReadonlyMap<string, Shortcut> = new Map<string, Shortcut>([
  ["k", { does: "commands" }],
  [",", { does: "settings" }],
  ["o", { does: "openFolder" }],
  ["n", { does: "newSession" }],
  ["b", { does: "sidebar" }],
  ["+", { does: "zoom", by: 1 }],
  ["=", { does: "zoom", by: 1 }],
  ["-", { does: "zoom", by: -1 }],
  ["0", { does: "zoom", by: 0 }],
]);

/** Returns what a key does, if it does something everywhere. `isTyping`: it would be a letter. */
export function shortcutOf(event: Key, isTyping: boolean, mac = isMac): Shortcut | undefined {
  const command = mac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  if (event.key === "Escape") return { does: "escape" };
  if (event.altKey) return undefined;
  // Also on a Mac, where Cmd and Tab are the system's.
  if (event.key === "Tab" && event.ctrlKey && !event.metaKey) return { does: "recent" };
  const letter = event.key.toLowerCase();
  if (command && event.shiftKey) {
    if (letter === "p") return { does: "commands" };
    if (letter === "b") return { does: "inspector" };
    if (letter === "f") return { does: "search" };
    // Where the sign is on the upper half of its key.
    return letter === "+" || letter === "=" ? { does: "zoom", by: 1 } : undefined;
  }
  if (command) {
    const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
    if (digit !== undefined) return { does: "session", number: Number(digit) };
    return withCommand.get(letter);
  }
  return event.key === "?" && !isTyping && !event.ctrlKey && !event.metaKey
    ? { does: "sheet" }
    : undefined;
}

/** Returns how the keys are written on this system, as `Ctrl K` or `⌘K`. */
export function keysOf(name: ShortcutName, mac = isMac): string {
  const command = mac ? "⌘" : "Ctrl ";
  switch (name) {
    case "commands":
      return `${command}K`;
    case "palette":
      return mac ? "⇧⌘P" : "Ctrl Shift P";
    case "settings":
      return `${command},`;
    case "openFolder":
      return `${command}O`;
    case "newSession":
      return `${command}N`;
    case "sidebar":
      return `${command}B`;
    case "search":
      return mac ? "⇧⌘F" : "Ctrl Shift F";
    case "inspector":
      return mac ? "⇧⌘B" : "Ctrl Shift B";
    case "session":
      return `${command}1…9`;
    case "recent":
      return mac ? "⌃Tab" : "Ctrl Tab";
    case "zoom":
      return `${command}+ − 0`;
    case "sheet":
      return "?";
    case "escape":
      return "Esc";
  }
}
