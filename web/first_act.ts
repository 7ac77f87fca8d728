const ACTS = ["pointerdown", "keydown"] as const;

/**
 * Calls once, when somebody first does something on the page: for what nobody needs before. Gives the way to call it off.
 * `focusin` among the acts counts the focus that the app itself moves to a new page's heading.
 */
export function onFirstAct(listener: () => void, acts: readonly (keyof WindowEventMap)[] = ACTS): () => void {
  const stop = () => {
    for (const act of acts) removeEventListener(act, first);
  };
  const first = () => {
    stop();
    listener();
  };
  for (const act of acts) addEventListener(act, first);
  return stop;
}
