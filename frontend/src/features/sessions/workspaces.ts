// The sidebar's order: folders by their newest session, and in each the newest session first.

import type { SessionSummary } from "../../bindings.ts";

export type WorkspaceGroup = {
  readonly folder: string;
  /** The last component, or two where another folder has the same name. */
  readonly name: string;
  readonly sessions: readonly SessionSummary[];
};

export function groupByWorkspace(summaries: readonly SessionSummary[]): WorkspaceGroup[] {
  const folders = new Map<string, SessionSummary[]>();
  for (const summary of [...summaries].sort((a, b) => b.changedAt - a.changedAt)) {
    const known = folders.get(summary.workspace);
    if (known === undefined) folders.set(summary.workspace, [summary]);
    else known.push(summary);
  }
  const names = [...folders.keys()].map((folder) => ending(folder, 1));
  return [...folders].map(([folder, sessions]) => {
    const short = ending(folder, 1);
    const isShared = names.filter((name) => name === short).length > 1;
    return { folder, name: isShared ? ending(folder, 2) : short, sessions };
  });
}

/** Returns the last components of a path, of either kind of system. */
function ending(path: string, components: number): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== "");
  return parts.slice(-components).join("/") || path;
}
