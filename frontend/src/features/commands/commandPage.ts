// The pages of the command menu as data, and which of a page's lines fit what is typed.

/** One line of the menu: it runs, or leads to a page of its own. */
export type Command = {
  readonly id: string;
  readonly label: string;
  /** A shortcut, or what else helps to choose. */
  readonly hint?: string | undefined;
  /** The heading that it stands under. */
  readonly group?: string | undefined;
  /** It is the value in use. */
  readonly isCurrent?: boolean;
} & (
  | {
      readonly does: "run";
      readonly run: () => void;
      /** What has the focus then, `null` if it takes it once it is there; else what had it before. */
      readonly landsOn?: () => HTMLElement | null;
    }
  | { readonly does: "open"; readonly page: () => CommandPage }
);

export type CommandPage = {
  readonly title: string;
  /** What can be typed. */
  readonly placeholder: string;
  readonly commands: readonly Command[];
  /** What is to be known before a line of it is chosen (CF-3). */
  readonly warning?: string | undefined;
  /** A line for what is typed, where any text may be meant. */
  readonly typed?: ((text: string) => Command) | undefined;
};

/** Returns the lines that hold every word that is typed; those that begin with it come first. */
export function matching(page: CommandPage, query: string): readonly Command[] {
  const typed = query.trim().toLowerCase();
  const words = typed.split(/\s+/);
  const fitting = page.commands.filter(({ label, hint, group }) => {
    const text = [label, hint, group].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (typed === "") return fitting;
  const begins = (it: Command) => (it.label.toLowerCase().startsWith(typed) ? 0 : 1);
  const sorted = fitting.toSorted((a, b) => begins(a) - begins(b));
  const isExact = sorted.some((it) => it.label.toLowerCase() === typed);
  return page.typed === undefined || isExact ? sorted : [...sorted, page.typed(query.trim())];
}
