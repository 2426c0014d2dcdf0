// A long list of which only the rows in view exist. It is one stop of the Tab key; the arrow keys,
// Page Up and Down, Home and End move its active row.

import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
} from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import css from "./VirtualList.module.css";

export type VirtualListProps<Item> = {
  items: readonly Item[];
  /** `listbox`: rows are options. `grid`: rows are rows, and hold cells. */
  role: "listbox" | "grid";
  /** What the list is of. */
  label: string;
  /** The row that the keys act on; -1 if there is none. */
  active: number;
  onActive: (index: number) => void;
  /** The look of a row, and what is in it. */
  row: (item: Item, index: number, active: boolean) => ReactNode;
  rowClass?: (item: Item, index: number) => string;
  /** The height of a row that was not seen yet. */
  rowHeightPx: number;
  /** The least width of a row, if it may be wider than the list. */
  rowMinWidth?: string | undefined;
  /** Keys of the owner; `preventDefault` keeps the list from acting on them too. */
  onKeyDown?: (event: KeyboardEvent) => void;
  ref?: Ref<VirtualListHandle>;
};

export type VirtualListHandle = {
  focus: () => void;
  /** Brings a row to the top. */
  showAtTop: (index: number) => void;
};

export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { items, role, active, onActive, row, rowClass, rowMinWidth } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRef<VirtualizerHandle>(null);
  const id = useId();

  useImperativeHandle(props.ref, () => ({
    focus: () => scroller.current?.focus(),
    showAtTop: (index) => rows.current?.scrollToIndex(index, { align: "start" }),
  }));

  useEffect(() => {
    if (active >= 0) rows.current?.scrollToIndex(active, { align: "nearest" });
  }, [active]);

  const onKeyDown = (event: KeyboardEvent) => {
    props.onKeyDown?.(event);
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const view = rows.current?.viewportSize ?? 0;
    const page = Math.max(1, Math.floor(view / props.rowHeightPx) - 1);
    const to = target(event.key, active, page, items.length - 1);
    if (to === undefined) return;
    event.preventDefault();
    if (to !== active) onActive(to);
  };

  const activeId = active >= 0 && active < items.length ? `${id}-${active}` : undefined;
  const listProps = {
    ...listRole(role, items.length),
    "aria-label": props.label,
    "aria-activedescendant": activeId,
    tabIndex: 0,
    onKeyDown,
  };
  const rowProps = (index: number) => ({
    ...rowRole(role, index, items.length),
    id: `${id}-${index}`,
    "aria-selected": index === active,
    onClick: () => onActive(index),
  });
  return (
    <div ref={scroller} className={css.scroller} {...listProps}>
      <div style={{ minWidth: rowMinWidth }}>
        <Virtualizer
          ref={rows}
          scrollRef={scroller}
          data={items}
          itemSize={props.rowHeightPx}
          keepMounted={activeId === undefined ? [] : [active]}
        >
          {(item, index) => (
            <div key={index} className={rowClass?.(item, index)} {...rowProps(index)}>
              {row(item, index, index === active)}
            </div>
          )}
        </Virtualizer>
      </div>
    </div>
  );
}

function listRole(role: "listbox" | "grid", rows: number) {
  return role === "grid" ? { role, "aria-rowcount": rows } : { role };
}

function rowRole(role: "listbox" | "grid", index: number, rows: number) {
  if (role === "grid") return { role: "row", "aria-rowindex": index + 1 };
  return { role: "option", "aria-posinset": index + 1, "aria-setsize": rows };
}

/** Returns the row that a key leads to, or `undefined` for a key that is not the list's. */
function target(key: string, active: number, page: number, last: number): number | undefined {
  if (last < 0) return undefined;
  const within = (index: number) => Math.min(last, Math.max(0, index));
  if (key === "ArrowDown") return within(active + 1);
  if (key === "ArrowUp") return within(active - 1);
  if (key === "PageDown") return within(active + page);
  if (key === "PageUp") return within(active - page);
  if (key === "Home") return 0;
  if (key === "End") return last;
  return undefined;
}
