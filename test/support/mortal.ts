import type { Ground, Step } from "./world.ts";

/** What a process says with its last breath. */
export class Death extends Error {}

/** A process that ends for good at its step number `at`: before the step, or after it without having heard the result. */
export function mortal(at: number, when: "before" | "after"): { step: Step; steps: () => number } {
  let count = 0;
  let dead = false;
  return {
    steps: () => count,
    async step(work) {
      if (dead) throw new Death();
      const isLast = count++ === at;
      if (isLast && when === "before") dead = true;
      if (dead) throw new Death();
      const result = await work();
      if (isLast) dead = true;
      if (dead) throw new Death();
      return result;
    },
  };
}

/** Keeps the present moment, and gives what returns to it: what is stored, the clock, and what was sent and went wrong. */
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
