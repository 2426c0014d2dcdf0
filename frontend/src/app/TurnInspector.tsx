// The panel at the right, filled with the result of a turn.

import type { Backend } from "../backend/backend.ts";
import type { SessionId } from "../bindings.ts";
import { Inspector, type InspectorProps } from "../features/inspector/Inspector.tsx";
import { ChecksPane } from "../features/turn-results/ChecksPane.tsx";
import { DiffPane } from "../features/turn-results/DiffPane.tsx";
import type { TurnResultView } from "../state/turnResult.ts";

export type TurnInspectorProps = Omit<InspectorProps, "label" | "diff" | "checks"> & {
  readonly backend: Backend;
  readonly session: SessionId;
  readonly view: TurnResultView;
  /** The file whose diff is shown. */
  readonly path: string | undefined;
  readonly onPath: (path: string) => void;
};

export function TurnInspector(props: TurnInspectorProps) {
  const { backend, session, view, path, onPath, ...panel } = props;
  const of = { backend, session, view };
  return (
    <Inspector
      {...panel}
      label={view.label}
      diff={<DiffPane {...of} path={path} onPath={onPath} />}
      checks={<ChecksPane {...of} />}
    />
  );
}
