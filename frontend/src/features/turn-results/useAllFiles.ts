// The files of a result: at once those that the event carried, then the rest, page by page.

import type { Backend } from "../../backend/backend.ts";
import type { SessionId } from "../../bindings.ts";
import { readFiles } from "../../state/received.ts";
import type { FileRow, TurnResultView } from "../../state/turnResult.ts";
import { type Pulled, usePulled } from "../usePulled.ts";

const none: readonly FileRow[] = [];

export type AllFiles = {
  readonly files: readonly FileRow[];
  readonly rest: { readonly pulled: Pulled<readonly FileRow[]>; readonly again: () => void };
};

export function useAllFiles(
  backend: Pick<Backend, "turnChanges">,
  session: SessionId,
  view: TurnResultView,
): AllFiles {
  const { files, turn, resultId, totalFiles } = view;
  const rest = usePulled([session, resultId, turn, files.length, totalFiles], () =>
    pullRest(backend, session, view),
  );
  const pulled = rest.pulled.is === "here" ? rest.pulled.value : none;
  return { files: pulled.length === 0 ? files : [...files, ...pulled], rest };
}

async function pullRest(
  backend: Pick<Backend, "turnChanges">,
  session: SessionId,
  { files, turn, totalFiles }: TurnResultView,
): Promise<FileRow[]> {
  const found: FileRow[] = [];
  let after = files.length;
  while (after < totalFiles) {
    const page = await backend.turnChanges(session, turn, after);
    // An empty page would be asked for without end.
    if (page.files.length === 0) break;
    found.push(...readFiles(page.files));
    after += page.files.length;
  }
  return found;
}
