import type { BreachChange } from "../../shared/breach_change.ts";
import type { Breach } from "./breach.ts";

export type StoredChange = BreachChange & { id: string; breachName: string };
export type NewChange = Omit<BreachChange, "at"> & { breachName: string };

/** An escalation of a breach whose alerts are being updated. */
export type WorseChange = { id: string; breachName: string; at: Date; through: string | undefined };

/** An alert that is pending after an escalation of its breach. */
export type WorsenedAlert = {
  alertId: string;
  associationId: string;
  accountId: string;
  /** Whether it was handled before. */
  reopened: boolean;
  /** False before the association's first report, which includes the current facts. */
  reported: boolean;
};

/** A stored entry of the catalogue, listed or removed. */
export type KeptBreach = { breach: Breach; isRemoved: boolean; isLinked: boolean; isAwaited: boolean };

/** Recorded changes of known breaches. */
export type ChangeRepository = {
  /** Locks comparisons of the source's catalogue until the end of the transaction, as two would record the same change. */
  lockComparisons(source: string): Promise<void>;
  /** Those of these names that are stored. */
  listKept(names: string[]): Promise<KeptBreach[]>;
  add(changes: NewChange[], at: Date): Promise<void>;
  /** Newest first. */
  listByBreaches(breachNames: string[]): Promise<StoredChange[]>;
  /** Of all breaches, newest first. */
  listSince(since: Date, limit: number): Promise<StoredChange[]>;
  find(id: string): Promise<StoredChange | undefined>;
  /** Claims the oldest escalation that is not finished, with a row lock until the end of the transaction. */
  claimWorse(): Promise<WorseChange | undefined>;
  /**
   * Updates the next alerts of the escalation, ordered by id: sets them pending, increments the version and clears the reason.
   * Only alerts raised before it, within their scope and not suspended. `through` is the cursor, undefined at the end.
   */
  worsenNext(change: WorseChange, limit: number): Promise<{ alerts: WorsenedAlert[]; through: string | undefined }>;
  /** The same for one association that was suspended, with all escalations since; returns the number of alerts. */
  worsenMissed(associationId: string): Promise<number>;
  /** Stores the cursor of the next batch. */
  advance(id: string, through: string): Promise<void>;
  markTold(id: string, now: Date): Promise<void>;
};
