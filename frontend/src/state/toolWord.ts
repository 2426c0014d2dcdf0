// Which word the screen has for a tool: the names are open, the words are not.

/** What a tool does, as far as one verb says it. */
export type ToolWord = "read" | "list" | "search" | "create" | "edit" | "run" | "other";

const WORDS: ReadonlyMap<string, ToolWord> = new Map([
  ["read_file", "read"],
  ["ls", "list"],
  ["glob", "search"],
  ["grep", "search"],
  ["write_file", "create"],
  ["edit_file", "edit"],
  ["bash", "run"],
]);

export function toolWord(tool: string): ToolWord {
  return WORDS.get(tool) ?? "other";
}
