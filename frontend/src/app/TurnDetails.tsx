// The panel at the right, filled for the chosen turn, and no wider than the window has room for.

import { type RefObject, useEffect, useRef, useState } from "react";
import type { Backend } from "../backend/backend.ts";
import type { SessionId } from "../bindings.ts";
import { clampWidth } from "../features/inspector/width.ts";
import type { TurnResultView } from "../state/turnResult.ts";
import { TurnInspector } from "./TurnInspector.tsx";
import type { ChosenTurn } from "./useChosenTurn.ts";

export type TurnDetailsProps = {
  readonly backend: Backend;
  readonly session: SessionId;
  readonly view: TurnResultView;
  readonly chosen: ChosenTurn;
  readonly sidebarOpen: boolean;
  /** As it was left. */
  readonly widthPx: number;
  readonly onWidth: (widthPx: number) => void;
  readonly onClose: () => void;
  /** What gets the focus where the panel goes with it. */
  readonly after: RefObject<HTMLElement | null>;
};

const SIDEBAR_PX = 232;
/** What the conversation keeps. */
const MAIN_PX = 480;

/** So long the edge rests before its place is remembered. */
const REST_MS = 300;

export function TurnDetails(props: TurnDetailsProps) {
  const { backend, session, view, chosen } = props;
  const { widthPx: keptPx, onWidth } = props;
  const [wantedPx, setWantedPx] = useState(keptPx);
  const keep = useRef(onWidth);
  keep.current = onWidth;
  useEffect(() => {
    if (wantedPx === keptPx) return;
    const timer = setTimeout(() => keep.current(wantedPx), REST_MS);
    return () => clearTimeout(timer);
  }, [wantedPx, keptPx]);
  const windowPx = useWindowWidth();
  const roomPx = windowPx - MAIN_PX - (props.sidebarOpen ? SIDEBAR_PX : 0);
  return (
    <TurnInspector
      backend={backend}
      session={session}
      view={view}
      path={chosen.path}
      onPath={chosen.setPath}
      tab={chosen.tab}
      onTab={chosen.setTab}
      onClose={props.onClose}
      after={props.after}
      widthPx={clampWidth(Math.min(wantedPx, roomPx))}
      onWidth={setWantedPx}
    />
  );
}

function useWindowWidth(): number {
  const [widthPx, setWidthPx] = useState(window.innerWidth);
  useEffect(() => {
    const resized = () => setWidthPx(window.innerWidth);
    window.addEventListener("resize", resized);
    return () => window.removeEventListener("resize", resized);
  }, []);
  return widthPx;
}
