import type { BreachFlag } from "./breach.ts";

type Correction<Value> = { from: Value; to: Value } | null;

/** What became different about a breach that was known already, as its source tells it now. */
export type BreachChange = {
  /** When it was seen; ISO 8601. */
  at: string;
  /** The source's own labels. */
  addedClasses: string[];
  removedClasses: string[];
  addedFlags: BreachFlag[];
  /** "unverified" among them: the source has confirmed the data by now. */
  removedFlags: BreachFlag[];
  /** Accounts concerned. */
  count: Correction<number>;
  /** When it happened; YYYY-MM-DD. */
  happened: Correction<string>;
  /** When it became known; ISO 8601. */
  known: Correction<string>;
  title: Correction<string>;
  /** True: the source no longer lists it. False: it is back. */
  retired: boolean | null;
  /** So much worse that everybody concerned is told again. */
  worse: boolean;
};
