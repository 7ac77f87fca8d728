import type { Ground, Step } from "./world.ts";

/** The error with which a process dies. */
export class Death extends Error {}

/**
 * A process that dies for good at its step number `at`: before the step, or after it without having seen its result.
 */
export function mortal(at: number, when: "before" | "after"): { step: Step; lastStep: Step; steps: () => number } {
  let count = 0;
  let dead = false;
  async function take<T>(work: () => Promise<T>, isLast: boolean): Promise<T> {
    if (isLast && when === "before") dead = true;
    if (dead) throw new Death();
    const result = await work();
    if (isLast) dead = true;
    if (dead) throw new Death();
    return result;
  }
  return {
    steps: () => count,
    step: (work) => take(work, count++ === at),
    /** Ends the process at this step, whatever its number. */
    lastStep: (work) => take(work, true),
  };
}

/** Takes a snapshot (stored data, clock, messages sent and failed) and returns a function that restores it. */
export function momentOf(ground: Ground): () => void {
  const restore = ground.snapshot();
  const [at, sent, errors] = [ground.clock.now().toISOString(), ground.sender.sent.length, ground.errors.length];
  return () => {
    restore();
    ground.sender.sent.length = sent;
    ground.errors.length = errors;
    ground.clock.set(at);
  };
}
