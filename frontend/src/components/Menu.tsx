// A button that opens a list: of things to do, or of values of which one is chosen.

import { Menu as Base } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import css from "./Menu.module.css";

type ShellProps = {
  /** The button; it gets the menu's role and state. */
  trigger: ReactElement;
  /** What the list is about. */
  label: string;
};

export type MenuAction = {
  id: string;
  text: ReactNode;
  /** A shortcut, or what else helps to choose. */
  hint?: string;
  disabled?: boolean;
  onChoose: () => void;
};

/** Things to do. */
export function Menu({ actions, ...shell }: ShellProps & { actions: readonly MenuAction[] }) {
  return (
    <Shell {...shell}>
      {actions.map((action) => (
        <Base.Item
          key={action.id}
          className={css.item}
          disabled={action.disabled ?? false}
          onClick={action.onChoose}
        >
          <span className={css.text}>{action.text}</span>
          {action.hint !== undefined && <kbd className={css.hint}>{action.hint}</kbd>}
        </Base.Item>
      ))}
    </Shell>
  );
}

export type MenuOption<Value extends string> = {
  value: Value;
  text: ReactNode;
  hint?: string;
  disabled?: boolean;
};

export type ChoiceMenuProps<Value extends string> = ShellProps & {
  options: readonly MenuOption<Value>[];
  /** The chosen one, if any is. */
  value: Value | undefined;
  onValue: (value: Value) => void;
};

/** Values of which one is chosen. */
export function ChoiceMenu<Value extends string>({
  options,
  value,
  onValue,
  ...shell
}: ChoiceMenuProps<Value>) {
  return (
    <Shell {...shell}>
      <Base.RadioGroup value={value ?? null}>
        {options.map((option) => (
          <Base.RadioItem
            key={option.value}
            className={css.item}
            value={option.value}
            disabled={option.disabled ?? false}
            closeOnClick
            onClick={() => onValue(option.value)}
          >
            <span className={css.check}>
              <Base.RadioItemIndicator>
                <Check size={14} aria-hidden="true" />
              </Base.RadioItemIndicator>
            </span>
            <span className={css.text}>{option.text}</span>
            {option.hint !== undefined && <span className={css.hint}>{option.hint}</span>}
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Shell>
  );
}

function Shell({ trigger, label, children }: ShellProps & { children: ReactNode }) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={css.positioner} sideOffset={4} align="start">
          <Base.Popup className={css.popup} aria-label={label}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
