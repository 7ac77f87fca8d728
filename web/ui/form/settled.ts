import { useState } from "react";

/** Whether all that a page asked is answered or has failed. Shown before, its parts would push each other about. */
export function areSettled(results: readonly { isPending: boolean }[]): boolean {
  return results.every(({ isPending }) => !isPending);
}

/** True from the first time on: a part that tries again what failed is no reason to take the page away. */
export function useOnce(isReady: boolean): boolean {
  const [wasReady, setReady] = useState(isReady);
  if (isReady && !wasReady) setReady(true);
  return wasReady || isReady;
}
