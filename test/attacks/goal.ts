import type { Finding } from "../faults/bench.ts";
import type { Target } from "./target.ts";

/** `long`: the whole figures of the goals, minutes each; else what the gate has time for. */
export type Size = { long: boolean; seed: number };
export type Attack = (target: Target, size: Size) => Promise<Finding[]>;

/** What shows a goal: an attack on the running product, tests that prove it as they are, or nothing, and why. */
export type Goal = {
  goal: string;
  attack?: Attack;
  /** While nothing else is under way: it floods, or compares everything before with everything after. */
  alone?: true;
  /** Needs a browser or minutes: only in the long form. */
  longAttack?: () => Promise<Finding[]>;
  /** Test files below `test/` that attack the same; the gate runs them by itself, the long form once more. */
  tests?: string[];
  /** Settings of these tests in the long form. */
  long?: Record<string, string>;
  /** The part of it that nothing shows. */
  missing?: string;
};
