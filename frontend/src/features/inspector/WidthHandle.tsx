// The edge that is dragged, or moved with the arrow keys, to make the panel wider or narrower.

import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import css from "./Inspector.module.css";
import { clampWidth, LEAST_WIDTH_PX, MOST_WIDTH_PX } from "./width.ts";

const STEP_PX = 20;

export type WidthHandleProps = {
  widthPx: number;
  onWidth: (widthPx: number) => void;
  label: string;
};

/** The panel is at the right, so its edge goes left to make it wider. */
export function WidthHandle({ widthPx, onWidth, label }: WidthHandleProps) {
  const grip = useRef<{ x: number; widthPx: number }>(undefined);

  const onKeyDown = (event: KeyboardEvent) => {
    const to = widthAfter(event.key, widthPx);
    if (to === undefined) return;
    event.preventDefault();
    onWidth(clampWidth(to));
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    grip.current = { x: event.clientX, widthPx };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent) => {
    if (grip.current === undefined) return;
    onWidth(clampWidth(grip.current.widthPx + grip.current.x - event.clientX));
  };
  const onPointerUp = () => {
    grip.current = undefined;
  };

  const separator = {
    role: "separator",
    tabIndex: 0,
    "aria-label": label,
    "aria-orientation": "vertical" as const,
    "aria-valuenow": widthPx,
    "aria-valuemin": LEAST_WIDTH_PX,
    "aria-valuemax": MOST_WIDTH_PX,
    onKeyDown,
    onPointerDown,
    onPointerMove,
    onPointerUp,
    onPointerCancel: onPointerUp,
  };
  return <div className={css.handle} {...separator} />;
}

function widthAfter(key: string, widthPx: number): number | undefined {
  if (key === "ArrowLeft") return widthPx + STEP_PX;
  if (key === "ArrowRight") return widthPx - STEP_PX;
  if (key === "Home") return LEAST_WIDTH_PX;
  if (key === "End") return MOST_WIDTH_PX;
  return undefined;
}
