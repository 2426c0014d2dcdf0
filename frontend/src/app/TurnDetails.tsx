// The panel at the right, filled for the chosen turn, and no wider than the window has room for.

import { useEffect, useState } from "react";
import type { Backend } from "../backend/backend.ts";
import type { SessionId } from "../bindings.ts";
import { Inspector } from "../features/inspector/Inspector.tsx";
import { clampWidth, FIRST_WIDTH_PX } from "../features/inspector/width.ts";
import { ChecksPane } from "../features/turn-results/ChecksPane.tsx";
import { DiffPane } from "../features/turn-results/DiffPane.tsx";
import type { TurnResultView } from "../state/turnResult.ts";
import type { ChosenTurn } from "./useChosenTurn.ts";

export type TurnDetailsProps = {
  readonly backend: Backend;
  readonly session: SessionId;
  readonly view: TurnResultView;
  readonly chosen: ChosenTurn;
  readonly sidebarOpen: boolean;
  readonly onClose: () => void;
};

const SIDEBAR_PX = 232;
/** What the conversation keeps. */
const MAIN_PX = 480;

/** Kept while the window is open. */
let keptWidthPx = FIRST_WIDTH_PX;

export function TurnDetails(props: TurnDetailsProps) {
  const { backend, session, view, chosen } = props;
  const [wantedPx, setWantedPx] = useState(keptWidthPx);
  const windowPx = useWindowWidth();
  const roomPx = windowPx - MAIN_PX - (props.sidebarOpen ? SIDEBAR_PX : 0);
  return (
    <Inspector
      tab={chosen.tab}
      onTab={chosen.setTab}
      onClose={props.onClose}
      widthPx={clampWidth(Math.min(wantedPx, roomPx))}
      onWidth={(widthPx) => {
        keptWidthPx = widthPx;
        setWantedPx(widthPx);
      }}
      label={view.label}
      diff={
        <DiffPane
          backend={backend}
          session={session}
          view={view}
          path={chosen.path}
          onPath={chosen.setPath}
        />
      }
      checks={<ChecksPane backend={backend} session={session} view={view} />}
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
