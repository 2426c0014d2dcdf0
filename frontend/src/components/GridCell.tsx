// A cell of a row of a `VirtualList` that is a grid. The list has the focus, so the cell has none.

import type { ReactNode } from "react";

const cell = { role: "gridcell" };

export function GridCell({ look, children }: { look?: string | undefined; children: ReactNode }) {
  return (
    <span {...cell} className={look}>
      {children}
    </span>
  );
}
