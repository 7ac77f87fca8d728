import { useEffect, useState } from "react";

/** Whole seconds until `end` (milliseconds since 1970), counted down; `startFor` sets a new end. */
export function useCountdown(end: number) {
  const [until, setUntil] = useState(end);
  const [now, setNow] = useState(Date.now);
  const left = Math.max(0, Math.ceil((until - now) / 1000));
  const running = left > 0;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [running]);
  function startFor(seconds: number) {
    setNow(Date.now());
    setUntil(Date.now() + seconds * 1000);
  }
  return { left, startFor };
}
