import type { Finding } from "../faults/bench.ts";
import type { Target } from "./target.ts";

/** `long`: the goals' full figures, minutes each; otherwise what fits into the gate. */
export type Size = { long: boolean; seed: number };
export type Attack = (target: Target, size: Size) => Promise<Finding[]>;

/** What shows a goal: an attack on the running product, existing tests that prove it, or nothing, with the reason. */
export type Goal = {
  goal: string;
  attack?: Attack;
  /** Runs alone: it floods, or compares the state before and after. */
  alone?: true;
  /** Needs a browser or minutes: only in the long form. */
  longAttack?: () => Promise<Finding[]>;
  /** Test files below `test/` that attack the same; they run in the gate anyway, and once more in the long form. */
  tests?: string[];
  /** Settings of these tests in the long form. */
  long?: Record<string, string>;
  /** The part of it that is not shown by anything. */
  missing?: string;
};
