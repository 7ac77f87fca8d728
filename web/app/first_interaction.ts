/** Assistive technology may send a click without pointer or key events. */
const INTERACTIONS = ["pointerdown", "keydown", "click"];

/**
 * Calls `listener` once, on the first interaction with the page; used to load what is not needed before. Returns a
 * function that cancels it.
 */
export function onFirstInteraction(listener: () => void): () => void {
  const stop = () => {
    for (const type of INTERACTIONS) removeEventListener(type, first);
  };
  const first = () => {
    stop();
    listener();
  };
  for (const type of INTERACTIONS) addEventListener(type, first);
  return stop;
}
