import type { BreachChange } from "../../shared/breach_change.ts";
import type { Breach } from "./breach.ts";

export type StoredChange = BreachChange & { id: string; breachName: string };
export type NewChange = Omit<BreachChange, "at"> & { breachName: string };

/** A change that made a breach worse, while those concerned are being told. */
export type WorseChange = { id: string; breachName: string; at: Date; through: string | undefined };

/** An alert that is pending again, or still, because its breach became worse. */
export type WorsenedAlert = {
  alertId: string;
  associationId: string;
  accountId: string;
  /** It was handled before. */
  reopened: boolean;
  /** False before its association had its first report, which tells the facts of its own moment. */
  reported: boolean;
};

/** An entry of the catalogue as it was stored, listed or not. */
export type KeptBreach = { breach: Breach; isRemoved: boolean; isLinked: boolean };

/** What became different about known breaches. */
export type ChangeRepository = {
  /** One comparison of a source's catalogue at a time, until the transaction ends: two would see the same change. */
  compareInTurn(source: string): Promise<void>;
  /** Those of these names that are stored. */
  listKept(names: string[]): Promise<KeptBreach[]>;
  add(changes: NewChange[], at: Date): Promise<void>;
  /** The newest first. */
  listByBreaches(breachNames: string[]): Promise<StoredChange[]>;
  /** Of all breaches, the newest first. */
  listSince(since: Date, limit: number): Promise<StoredChange[]>;
  find(id: string): Promise<StoredChange | undefined>;
  /** The oldest that made its breach worse and is not told to the end; nobody else gets it before the transaction ends. */
  claimWorse(): Promise<WorseChange | undefined>;
  /**
   * The next alerts that the change concerns, in the order of their ids: pending, one version on, without the reason
   * they were handled for. Only those raised until then, within their scope and not suspended. `through` is how far
   * it came, undefined when there are no more.
   */
  worsenNext(change: WorseChange, limit: number): Promise<{ alerts: WorsenedAlert[]; through: string | undefined }>;
  /**
   * The same for one association that could not be told, of all that was told to the others meanwhile; returns how many
   * alerts it concerns.
   */
  worsenMissed(associationId: string): Promise<number>;
  /** Where the next batch starts. */
  advance(id: string, through: string): Promise<void>;
  markTold(id: string, now: Date): Promise<void>;
};
