import type { BreachDeps, BreachFeed, BreachStore, SourceTrouble } from "../ports.ts";
import { feedOf, isOwnTurn } from "../scanning/sources.ts";
import { type Breach, compareCatalogues, contentOf, keyOf } from "./breach.ts";
import { recordChanges } from "./change_record.ts";
import { linkAlike } from "./linking.ts";
import { NewLabel, newLabels } from "./new_labels.ts";

const LARGEST_REMOVED_SHARE = 0.05;
/** The whole catalogue is compared at least daily: a correction does not move the newest entry. */
const RESYNC_MS = 24 * 3_600_000;

/** A source's catalogue, by the names that its entries have here. */
type Listing = {
  feed: BreachFeed;
  breaches: Breach[];
  broken: number;
  listed: Map<string, { breach: Breach; hash: string }>;
};

export type CatalogueReport = { added: string[]; changed: string[]; removed: string[]; broken: number };

/** Keeps the stored catalogue in step with the sources'. */
export function catalogue({ transaction, feeds, now, report, hash }: BreachDeps) {
  function troubled(source: string, trouble: SourceTrouble) {
    if (!isOwnTurn(trouble))
      report(new Error(`Cannot read the catalogue of ${source}: ${trouble.reason}`), { kind: trouble.kind });
    return transaction(async ({ sources }) => {
      const state = await sources.find(source);
      // What keeps it silent is told until it speaks again, not that it is silent.
      if (isOwnTurn(trouble) && state.trouble !== undefined) return;
      await sources.save({ ...state, trouble: trouble.reason });
    });
  }

  /** Stores what differs, and what became different about what was known. */
  async function take(store: BreachStore, { feed, breaches: all, broken, listed }: Listing) {
    const { breaches, sources, changes } = store;
    const at = now();
    const hashes = new Map([...listed].map(([name, entry]) => [name, entry.hash]));
    // Mostly nothing differs, and nobody has to wait; of several sources it may be another's turn to be linked.
    if (feeds.length === 1 && isSame(compareCatalogues(await breaches.hashes(feed.source), hashes))) {
      await sources.noteSynced(feed.source, newestOf(all), false, at);
      return { added: [], changed: [], removed: [], broken, labels: [] };
    }
    if (feeds.length > 1) await breaches.claimLinks();
    await changes.compareInTurn(feed.source);
    const stored = await breaches.hashes(feed.source);
    const difference = compareCatalogues(stored, hashes);
    const put = [...difference.added, ...difference.changed].flatMap((name) => listed.get(name) ?? []);
    const before = await changes.listKept([...difference.changed, ...difference.added]);
    const isToldDifferently = before.some(
      ({ breach }) => isSensitive(breach) !== isSensitive(listed.get(breach.name)?.breach),
    );
    const isDue = difference.added.length > 0 || isToldDifferently;
    const labels = await newLabels(
      store,
      put.map(({ breach }) => breach),
    );
    await breaches.put(feed.source, put, at);
    // A broken or suspiciously short list is no proof that an entry is gone.
    const isPlausible = broken === 0 && difference.removed.length <= stored.size * LARGEST_REMOVED_SHARE;
    const removed = isPlausible ? difference.removed : [];
    await breaches.markRemoved(feed.source, removed, at);
    await recordChanges(store, { before, listed, removed, at });
    await sources.noteSynced(feed.source, newestOf(all), isDue && !feed.isMatched, at);
    if (feeds.length > 1) await linkAlike(store);
    return { added: difference.added, changed: difference.changed, removed, broken, labels };
  }

  /**
   * Reads the whole catalogue and stores what differs by content. All addresses become due when there is something new,
   * or when others may be told of a breach than before, as it is sensitive now or no longer.
   */
  async function sync(feed: BreachFeed): Promise<CatalogueReport | SourceTrouble> {
    const answer = await feed.catalogue();
    if (answer.kind !== "catalogue") {
      await troubled(feed.source, answer);
      return answer;
    }
    const listed = new Map(
      answer.breaches.map((breach) => {
        const name = keyOf(feed, breach.name);
        return [name, { breach: { ...breach, name }, hash: hash(contentOf(breach)) }];
      }),
    );
    const { labels, ...outcome } = await transaction((store) => take(store, { ...answer, feed, listed }));
    for (const label of labels) report(new NewLabel(label), { source: feed.source, label });
    return outcome;
  }

  /** The catalogue job: one small request, and the whole catalogue only when something is new or a day has passed. */
  async function poll(feed: BreachFeed): Promise<CatalogueReport | SourceTrouble | undefined> {
    const next = new Date(now().getTime() + feed.pollEveryMs);
    const state = await transaction(async ({ sources }) =>
      (await sources.claimPoll(feed.source, now(), next)) ? sources.find(feed.source) : undefined,
    );
    if (state === undefined) return undefined;
    if (state.syncedAt === undefined || now().getTime() - state.syncedAt.getTime() >= RESYNC_MS) return sync(feed);
    const latest = await feed.latest();
    if (latest.kind !== "latest") {
      await troubled(feed.source, latest);
      return latest;
    }
    if (latest.name !== state.latestName || latest.addedDate !== state.latestAdded) return sync(feed);
    await transaction(async ({ sources }) => {
      await sources.save({ ...(await sources.find(feed.source)), checkedAt: now(), trouble: undefined });
    });
    return undefined;
  }

  return {
    /** Of the main source if none is named. */
    syncCatalogue: (source?: string) => sync(feedOf(feeds, source)),
    pollCatalogue: (source?: string) => poll(feedOf(feeds, source)),
  };
}

function isSame({ added, changed, removed }: Record<"added" | "changed" | "removed", string[]>): boolean {
  return added.length + changed.length + removed.length === 0;
}

function isSensitive(breach: Breach | undefined): boolean {
  return breach?.flags.includes("sensitive") === true;
}

function newestOf(breaches: Breach[]): Breach | undefined {
  return breaches.reduce<Breach | undefined>(
    (newest, breach) => (newest && newest.addedDate >= breach.addedDate ? newest : breach),
    undefined,
  );
}
