import { useState } from "react";

/** Whether all queries of a page have finished; showing the page earlier would shift its layout. */
export function areSettled(results: readonly { isPending: boolean }[]): boolean {
  return results.every(({ isPending }) => !isPending);
}

/** Stays true once `isReady` has been: a retry of one part must not hide the page. */
export function useOnce(isReady: boolean): boolean {
  const [wasReady, setReady] = useState(isReady);
  if (isReady && !wasReady) setReady(true);
  return wasReady || isReady;
}
