// The rows of a diff side by side: what was beside what came.

import type { DiffRow } from "./patch.ts";

/** A row of both sides, by the numbers of the rows that stand in it. */
export type SidesRow =
  | { readonly is: "hunk"; readonly row: number }
  | { readonly is: "sides"; readonly old: number | undefined; readonly new: number | undefined };

/** A line that takes the place of another stands beside it; others leave the other side empty. */
export function sidesOf(rows: readonly DiffRow[]): readonly SidesRow[] {
  return rows.flatMap(sidesOfRow);
}

function sidesOfRow(row: DiffRow, index: number): SidesRow[] {
  switch (row.is) {
    case "hunk":
      return [{ is: "hunk", row: index }];
    case "context":
      return [{ is: "sides", old: index, new: index }];
    case "removed":
      return [{ is: "sides", old: index, new: row.pair }];
    case "added":
      return row.pair === undefined ? [{ is: "sides", old: undefined, new: index }] : [];
  }
}

/** Returns where a row of the diff stands side by side. */
export function sideOf(sides: readonly SidesRow[], row: number): number {
  const at = sides.findIndex((it) =>
    it.is === "hunk" ? it.row === row : it.old === row || it.new === row,
  );
  return Math.max(0, at);
}

/** Returns a row of the diff that stands there: the old one, where there is one. */
export function rowAt(sides: readonly SidesRow[], at: number): number {
  const it = sides[at];
  if (it === undefined) return 0;
  return it.is === "hunk" ? it.row : (it.old ?? it.new ?? 0);
}
