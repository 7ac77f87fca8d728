import type { AlikeBreach, Breach } from "./breach.ts";

/** The stored catalogue of all sources. */
export type BreachRepository = {
  /** Content hash by name, for entries that are not marked as removed. */
  hashes(source: string): Promise<Map<string, string>>;
  find(name: string): Promise<Breach | undefined>;
  listByNames(names: string[]): Promise<Breach[]>;
  /** The names of all sensitive entries, in alphabetical order. */
  listSensitive(): Promise<string[]>;
  /** Listed entries that these sources have added since, newest first; `since` in ISO 8601. */
  listAddedSince(sources: string[], since: string, limit: number): Promise<Breach[]>;
  /**
   * Upserts by name; an entry that was marked as removed is restored. Alerts that wait for its facts go on waiting until they are
   * claimed.
   */
  put(source: string, breaches: { breach: Breach; hash: string }[], now: Date): Promise<void>;
  /**
   * Adds entries that a check has found before any catalogue listed them. What is stored by that name always wins, even if it is
   * being stored concurrently. `awaitedUntil`: until then, the entry's alerts wait for its facts.
   */
  addUnlisted(
    source: string,
    breaches: { breach: Breach; awaitedUntil?: Date | undefined }[],
    now: Date,
  ): Promise<void>;
  /** Those of these names whose alerts wait; locked until the end of the transaction, so that they go on waiting. */
  listAwaited(names: string[]): Promise<string[]>;
  /** Claims an entry whose alerts need not wait any longer, with a row lock until the end of the transaction. */
  claimAwaited(now: Date): Promise<{ name: string; isKnown: boolean } | undefined>;
  endWait(name: string): Promise<void>;
  /** Those of these labels that an entry of any source has, or had when it was last listed. */
  listLabels(labels: string[]): Promise<string[]>;
  /** Marks entries that the source no longer lists; their alerts are kept. */
  markRemoved(source: string, names: string[], now: Date): Promise<void>;
  /** Without duplicates of other sources. */
  count(): Promise<number>;
  /** All listed entries whose alerts do not wait, for deduplication. */
  listAlike(): Promise<AlikeBreach[]>;
  /**
   * Exclusive lock until the end of the transaction, to be taken before any write: no other catalogue comparison or storing of
   * findings runs, so that linking sees all of them.
   */
  lockLinksExclusively(): Promise<void>;
  /** Shared lock until the end of the transaction, to be taken before any write: no breaches are linked meanwhile. */
  lockLinksShared(): Promise<void>;
  /** From now on findings of `name` are stored as findings of `sameAs`. */
  link(name: string, sameAs: string): Promise<void>;
  /** The canonical breach of each name: itself, or the one that it is linked to. */
  canonical(names: string[]): Promise<Map<string, string>>;
};

/** The state of a source between two polls; one row per source. */
export type SourceState = {
  source: string;
  latestName: string | undefined;
  latestAdded: string | undefined;
  /** Incremented with the catalogue's changes; addresses checked under an older generation are due. */
  generation: number;
  syncedAt: Date | undefined;
  checkedAt: Date | undefined;
  /** The last error in reading the catalogue. */
  trouble: string | undefined;
  /** The entries of the catalogue that could not be read when it was last read: their names, or their places in it. */
  leftOut: string[];
  /** The last error in checking addresses. */
  lookUpTrouble: string | undefined;
  /** Until then no addresses are checked with this source. */
  pausedUntil: Date | undefined;
};

export type Newest = { name: string; addedDate: string };

/** `grows`: addresses checked under the former generation become due. */
export type CatalogueReading = Pick<SourceState, "leftOut"> & { newest: Newest | undefined; grows: boolean };

/** `keepsCause`: a reason that is already recorded stays, as it is the cause of this one. */
export type TroubleNote = { reason: string; keepsCause: boolean };

/** Each call writes only what it is about, as jobs and processes record their findings about a source concurrently. */
export type SourceRepository = {
  find(source: string): Promise<SourceState>;
  /** Claims the poll that is due and schedules the next one; false when another process has claimed it. */
  claimPoll(source: string, now: Date, nextPollAt: Date): Promise<boolean>;
  /** Records that the whole catalogue was read and stored. */
  noteSynced(source: string, reading: CatalogueReading, now: Date): Promise<void>;
  /** Records that the newest entry was read, and is the known one. */
  notePolled(source: string, now: Date): Promise<void>;
  /** Records why the catalogue cannot be read. */
  noteCatalogueTrouble(source: string, trouble: TroubleNote): Promise<void>;
  /** Records why addresses cannot be checked. */
  noteLookUpTrouble(source: string, trouble: TroubleNote): Promise<void>;
  /** Records that addresses can be checked; true if they could not be before. */
  endLookUpTrouble(source: string): Promise<boolean>;
  /** Makes every address due with each of these sources. */
  raiseGenerations(sources: string[]): Promise<void>;
  /** Applies to all processes; undefined ends the pause. */
  pause(source: string, until: Date | undefined): Promise<void>;
};
