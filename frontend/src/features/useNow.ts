// The time, told again every so often.

import { useEffect, useState } from "react";

/** Seconds since 1970-01-01T00:00:00Z. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(secondsNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(secondsNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

function secondsNow(): number {
  return Math.floor(Date.now() / 1000);
}
