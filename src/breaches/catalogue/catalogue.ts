import type { BreachDeps, BreachFeed, BreachStore, SourceTrouble } from "../ports.ts";
import { feedOf, isRateLimit } from "../scanning/sources.ts";
import { type Breach, compareCatalogues, contentOf, keyOf, newestOf } from "./breach.ts";
import { mayFindMore } from "./breach_change.ts";
import { recordChanges } from "./change_record.ts";
import { linkAlike } from "./linking.ts";
import { newLabels, noteLabels } from "./new_labels.ts";

const LARGEST_REMOVED_SHARE = 0.05;
/** The whole catalogue is compared at least daily, as a correction does not move the newest entry. */
const RESYNC_MS = 24 * 3_600_000;

const MOST_NAMED = 10;

/** A source's catalogue, by our keys. */
type Listing = {
  feed: BreachFeed;
  breaches: Breach[];
  leftOut: string[];
  listed: Map<string, { breach: Breach; hash: string }>;
};

export type CatalogueReport = { added: string[]; changed: string[]; removed: string[]; broken: number };

/** Synchronises the stored catalogue with the sources. */
export function catalogue(deps: BreachDeps) {
  const { transaction, feeds, now, report, note, hash } = deps;
  const noteRecovery = (source: string) => note?.("The catalogue can be read again", { source });

  function troubled(source: string, trouble: SourceTrouble) {
    if (!isRateLimit(trouble))
      report(new Error(`Cannot read the catalogue of ${source}: ${trouble.reason}`), { kind: trouble.kind });
    // A rate limit's pause must not hide what caused it.
    const noted = { reason: trouble.reason, keepsCause: isRateLimit(trouble) };
    return transaction(({ sources }) => sources.noteCatalogueTrouble(source, noted));
  }

  /** Stores the differences, and records changes of known entries. */
  async function take(store: BreachStore, { feed, breaches: all, leftOut, listed }: Listing) {
    const { breaches, sources, changes } = store;
    const [at, broken] = [now(), leftOut.length];
    const hashes = new Map([...listed].map(([name, entry]) => [name, entry.hash]));
    // Usually nothing differs, which needs no lock; with several sources another one may still have to be linked.
    if (feeds.length === 1 && isSame(compareCatalogues(await breaches.hashes(feed.source), hashes))) {
      await sources.noteSynced(feed.source, { newest: newestOf(all), grows: false, leftOut }, at);
      return { added: [], changed: [], removed: [], broken, labels: [] };
    }
    if (feeds.length > 1) await breaches.lockLinksExclusively();
    await changes.lockComparisons(feed.source);
    const stored = await breaches.hashes(feed.source);
    const difference = compareCatalogues(stored, hashes);
    const put = [...difference.added, ...difference.changed].flatMap((name) => listed.get(name) ?? []);
    const before = await changes.listKept([...difference.changed, ...difference.added]);
    const isDue = difference.added.length > 0 || before.some(({ breach }) => isGrown(breach, listed.get(breach.name)));
    const labels = await newLabels(
      store,
      put.map(({ breach }) => breach),
    );
    await breaches.put(feed.source, put, at);
    // Entries missing from an invalid or suspiciously short list do not count as removed.
    const isPlausible = broken === 0 && difference.removed.length <= stored.size * LARGEST_REMOVED_SHARE;
    const removed = isPlausible ? difference.removed : [];
    await breaches.markRemoved(feed.source, removed, at);
    await recordChanges(store, { before, listed, removed, at });
    const grows = isDue && !feed.isMatched;
    await sources.noteSynced(feed.source, { newest: newestOf(all), grows, leftOut }, at);
    if (feeds.length > 1) await linkAlike(store);
    return { added: difference.added, changed: difference.changed, removed, broken, labels };
  }

  /**
   * Reads the whole catalogue and stores differences in content. All addresses become due when there are new entries, or when
   * addresses may be found in a known one that were not before.
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
    const { labels, former, ...outcome } = await transaction(async (store) => {
      const former = await store.sources.find(feed.source);
      return { ...(await take(store, { ...answer, feed, listed })), former };
    });
    noteLabels(deps, feed.source, labels);
    if (answer.leftOut.some((name) => !former.leftOut.includes(name)))
      report(new LeftOutOfCatalogue(feed.source, answer.leftOut), { source: feed.source });
    if (former.trouble !== undefined) noteRecovery(feed.source);
    return outcome;
  }

  /** Job: one small request, and the whole catalogue only if something is new or a day has passed. */
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
    await transaction(({ sources }) => sources.notePolled(feed.source, now()));
    if (state.trouble !== undefined) noteRecovery(feed.source);
    return undefined;
  }

  return {
    /** Defaults to the main source. */
    syncCatalogue: (source?: string) => sync(feedOf(feeds, source)),
    pollCatalogue: (source?: string) => poll(feedOf(feeds, source)),
  };
}

function isSame({ added, changed, removed }: Record<"added" | "changed" | "removed", string[]>): boolean {
  return added.length + changed.length + removed.length === 0;
}

/** Reported to the operator when an entry is unreadable that was not before. */
class LeftOutOfCatalogue extends Error {
  constructor(source: string, names: string[]) {
    const [shown, more] = [names.slice(0, MOST_NAMED).join(", "), names.length - MOST_NAMED];
    super(`Left out what cannot be read in the catalogue of ${source}: ${shown}${more > 0 ? ` and ${more} more` : ""}`);
  }
}

function isGrown(before: Breach, entry: { breach: Breach } | undefined): boolean {
  return entry !== undefined && mayFindMore(before, entry.breach);
}
