import type { BreachFlag } from "./breach.ts";

type Correction<Value> = { from: Value; to: Value } | null;

/** How a known breach changed, according to its source. */
export type BreachChange = {
  /** When the change was detected; ISO 8601. */
  at: string;
  /** The source's own labels. */
  addedClasses: string[];
  removedClasses: string[];
  addedFlags: BreachFlag[];
  /** With "unverified" among them, the source has confirmed the data. */
  removedFlags: BreachFlag[];
  /** Number of accounts affected. */
  count: Correction<number>;
  /** When it happened; YYYY-MM-DD. */
  happened: Correction<string>;
  /** When it became known; ISO 8601. */
  known: Correction<string>;
  title: Correction<string>;
  /** True: the source has removed it from its catalogue. False: it is listed again. */
  retired: boolean | null;
  /** The change makes the breach so much more severe that everybody affected is alerted again. */
  worse: boolean;
};
