// Which rows the user has opened. It outlives the rows, which come and go with the window.

import { useState } from "react";

export type OpenRows = {
  readonly isOpen: (key: string) => boolean;
  readonly toggle: (key: string) => void;
};

export function useOpenRows(): OpenRows {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  return {
    isOpen: (key) => open.has(key),
    toggle: (key) =>
      setOpen((before) => {
        const next = new Set(before);
        if (!next.delete(key)) next.add(key);
        return next;
      }),
  };
}
