import type { AlikeBreach, Breach } from "./breach.ts";

/** The stored catalogue of all sources. */
export type BreachRepository = {
  /** Content hash by name, of entries that are not marked removed. */
  hashes(source: string): Promise<Map<string, string>>;
  find(name: string): Promise<Breach | undefined>;
  listByNames(names: string[]): Promise<Breach[]>;
  /** Listed ones that these sources have added since, the newest first; `since` in ISO 8601. */
  listAddedSince(sources: string[], since: string, limit: number): Promise<Breach[]>;
  /** Adds or replaces by name; a replaced entry that was marked removed is back. */
  put(source: string, breaches: { breach: Breach; hash: string }[], now: Date): Promise<void>;
  /** Those of these labels that an entry of any source has, or had when it was listed last. */
  listLabels(labels: string[]): Promise<string[]>;
  /** Marks entries that the source no longer lists; their alerts stay. */
  markRemoved(source: string, names: string[], now: Date): Promise<void>;
  /** Without those that are the same as another. */
  count(): Promise<number>;
  /** All that are listed, for finding out which are the same. */
  listAlike(): Promise<AlikeBreach[]>;
  /**
   * Before anything is written: nobody else compares catalogues or stores what was found until the transaction ends, so
   * that all of it is seen when breaches are linked.
   */
  claimLinks(): Promise<void>;
  /** Before anything is written: no breach is linked to another until the transaction ends. */
  holdLinks(): Promise<void>;
  /** From now on what is found in `name` is found in `sameAs`. */
  link(name: string, sameAs: string): Promise<void>;
  /** The breach that each name stands for: itself, or the one it was linked to. */
  canonical(names: string[]): Promise<Map<string, string>>;
};

/** What is known of a source between two polls. One row per source. */
export type SourceState = {
  source: string;
  latestName: string | undefined;
  latestAdded: string | undefined;
  /** Counts the catalogue's changes; an address checked under an older one is due. */
  generation: number;
  syncedAt: Date | undefined;
  checkedAt: Date | undefined;
  /** Why the catalogue could not be read last time. */
  trouble: string | undefined;
  /** Why addresses could not be checked last time. */
  lookUpTrouble: string | undefined;
  /** No address is checked with it before. */
  pausedUntil: Date | undefined;
};

export type Newest = { name: string; addedDate: string };

export type SourceRepository = {
  find(source: string): Promise<SourceState>;
  /** Takes the poll that is due, and sets the next one; false when another process has it. */
  claimPoll(source: string, now: Date, nextPollAt: Date): Promise<boolean>;
  /** The whole catalogue was read, and is stored. `grows`: addresses checked under the former one are due. */
  noteSynced(source: string, newest: Newest | undefined, grows: boolean, now: Date): Promise<void>;
  /** The generation never goes back, also when `state` was read before another process raised it. */
  save(state: Omit<SourceState, "pausedUntil">): Promise<void>;
  /** For every process; undefined ends the pause. */
  pause(source: string, until: Date | undefined): Promise<void>;
};
