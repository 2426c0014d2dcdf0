// The command menu: a line to type in, and below it what it fits. The focus stays in the line.

import { Check, ChevronRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Dialog } from "../../components/Dialog.tsx";
import { useLocale } from "../../locale/index.ts";
import css from "./CommandMenu.module.css";
import { type Command, type CommandPage, matching } from "./commandPage.ts";

export type CommandMenuProps = {
  readonly page: CommandPage;
  readonly onClose: () => void;
};

export function CommandMenu({ page: first, onClose }: CommandMenuProps) {
  const { t } = useLocale();
  const id = useId();
  const [pages, setPages] = useState<readonly CommandPage[]>([first]);
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(() => inUse(first));
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const page = pages.at(-1) ?? first;
  const commands = matching(page, query);
  const chosen = commands[Math.min(active, commands.length - 1)];

  // biome-ignore lint/correctness/useExhaustiveDependencies: the active line is what is brought into view.
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView?.({ block: "nearest" });
  }, [chosen?.id]);

  const show = (next: readonly CommandPage[]) => {
    setPages(next);
    setQuery("");
    setActive(inUse(next.at(-1)));
  };
  const landsOn = useRef<() => HTMLElement | null>(undefined);
  const choose = (command: Command) => {
    if (command.does === "open") {
      show([...pages, command.page()]);
      return;
    }
    landsOn.current = command.landsOn;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const last = commands.length - 1;
    const isNext = event.key === "ArrowDown" || (event.key === "Tab" && event.ctrlKey);
    if (isNext) setActive(active >= last ? 0 : active + 1);
    else if (event.key === "ArrowUp") setActive(active <= 0 ? last : active - 1);
    else if (event.key === "Enter" && chosen !== undefined) choose(chosen);
    else if (event.key === "Backspace" && query === "" && pages.length > 1)
      show(pages.slice(0, -1));
    else return;
    event.preventDefault();
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={page.title}
      initialFocus={input}
      finalFocus={() => (landsOn.current === undefined ? true : (landsOn.current() ?? false))}
    >
      <input
        ref={input}
        className={css.input}
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={chosen === undefined ? undefined : `${id}-${chosen.id}`}
        aria-label={page.title}
        autoComplete="off"
        spellCheck={false}
        placeholder={page.placeholder}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      {page.warning !== undefined && <p className={css.warning}>{page.warning}</p>}
      <div ref={list} id={id} className={css.list} role="listbox" aria-label={page.title}>
        {commands.map((command, index) => (
          <Line
            key={command.id}
            id={`${id}-${command.id}`}
            command={command}
            heading={command.group === commands[index - 1]?.group ? undefined : command.group}
            isActive={command === chosen}
            onChoose={() => choose(command)}
          />
        ))}
      </div>
      {commands.length === 0 && (
        <p className={css.none} role="status">
          {t("commands.none")}
        </p>
      )}
    </Dialog>
  );
}

/** A page of values begins at the one in use, so that Enter alone changes nothing. */
function inUse(page: CommandPage | undefined): number {
  return Math.max(0, page?.commands.findIndex((it) => it.isCurrent === true) ?? 0);
}

function Line(props: {
  id: string;
  command: Command;
  heading: string | undefined;
  isActive: boolean;
  onChoose: () => void;
}) {
  const { command, heading } = props;
  const { t } = useLocale();
  return (
    <>
      {heading !== undefined && (
        <div className={css.heading} role="presentation">
          {heading}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the line's above. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the line above. */}
      <div
        id={props.id}
        className={css.command}
        role="option"
        aria-selected={props.isActive}
        onMouseDown={(event) => event.preventDefault()}
        onClick={props.onChoose}
      >
        <span className={css.check}>
          {command.isCurrent === true && (
            <Check size={14} role="img" aria-label={t("modelChoice.current")} />
          )}
        </span>
        <span className={css.label}>{command.label}</span>
        {command.hint !== undefined && <span className={css.hint}>{command.hint}</span>}
        {command.does === "open" && <ChevronRight size={14} aria-hidden="true" />}
      </div>
    </>
  );
}
