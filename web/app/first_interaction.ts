/** A click alone is what assistive technology may do. */
const ACTS = ["pointerdown", "keydown", "click"];

/** Calls once, when somebody first does something on the page: for what nobody needs before. Gives the way to call it off. */
export function onFirstInteraction(listener: () => void): () => void {
  const stop = () => {
    for (const act of ACTS) removeEventListener(act, first);
  };
  const first = () => {
    stop();
    listener();
  };
  for (const act of ACTS) addEventListener(act, first);
  return stop;
}
