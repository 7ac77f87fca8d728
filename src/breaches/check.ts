import { announce } from "./announce.ts";
import { type Breach, keyOf, NOT_LISTED_YET, nameOf } from "./breach.ts";
import type { BreachDeps, BreachFeed, BreachStore, ClaimedScan, SourceTrouble } from "./ports.ts";
import { answering } from "./sources.ts";

/** Without news an address is looked at again after a week; a new breach makes every address due at once. */
const RECHECK_MS = 7 * 24 * 3_600_000;

/** The check of one address with one source. */
export function checking({ transaction, feeds, now }: BreachDeps, feed: BreachFeed) {
  /** Breaches that the stored catalogue lacks are asked for by name; unknown even there, the name stands in. */
  async function missingBreaches(keys: string[]): Promise<Breach[] | SourceTrouble> {
    const known = await transaction(({ breaches }) => breaches.listByNames(keys));
    const missing = keys.filter((key) => !known.some((breach) => breach.name === key));
    const fetched: Breach[] = [];
    for (const key of missing) {
      const answer = await feed.breach(nameIn(feed, key));
      if (answer.kind !== "breach") return answer;
      fetched.push({ ...(answer.breach ?? placeholder(nameIn(feed, key), now())), name: key });
    }
    return fetched;
  }

  /** The catalogue job may have brought them in the meantime. */
  async function storeMet({ breaches }: BreachStore, fetched: Breach[], at: Date): Promise<void> {
    const known = new Set((await breaches.listByNames(fetched.map(({ name }) => name))).map(({ name }) => name));
    const met = fetched.filter(({ name }) => !known.has(name)).map((breach) => ({ breach, hash: NOT_LISTED_YET }));
    await breaches.put(feed.source, met, at);
  }

  /** Whether no other source that can answer still has to check the address. */
  async function isComplete(store: BreachStore, address: string, at: Date): Promise<boolean> {
    const others = (await answering(store, feeds)).filter((source) => source !== feed.source);
    return (await store.scans.awaited(address, others, at)).length === 0;
  }

  function skip(scan: ClaimedScan): Promise<number> {
    const at = now();
    return transaction(async ({ scans }) => {
      await scans.finishUnsupported(scan, new Date(at.getTime() + RECHECK_MS));
      return 0;
    });
  }

  /** Asks the source, then stores exposures, alerts and their announcement in one transaction. */
  return async function check(scan: ClaimedScan): Promise<number | SourceTrouble> {
    const { address } = scan;
    const found = await feed.lookUp(address);
    if (found.kind === "unsupported") return skip(scan);
    if (found.kind !== "found") return found;
    const keys = [...new Set(found.breaches.map((name) => keyOf(feed, name)))];
    const fetched = await missingBreaches(keys);
    if (!Array.isArray(fetched)) return fetched;
    const at = now();
    return transaction(async (store) => {
      const { alerts, watches, scans, breaches, exposures } = store;
      if (feeds.length > 1) await breaches.holdLinks();
      // The lease first: a worker that lost it must not announce anything.
      if (!(await scans.finish(scan, at, new Date(at.getTime() + RECHECK_MS)))) return 0;
      await storeMet(store, fetched, at);
      const names = [...new Set((await breaches.canonical(keys)).values())];
      const raised = await alerts.addMissing(address, names, at);
      await exposures.nameSource(feed.source, address, names);
      const watching = await watches.listActive(address);
      // The last two to leave at the same time each took the other for one who stays.
      if (watching.length === 0) {
        await scans.remove(address);
        if ((await watches.countAll(address)) === 0) await alerts.removeExposures(address);
      }
      // Of what is hidden the source decides: it may call another breach sensitive than at the last check.
      const recount = watching.flatMap(({ associationId, sensitive }) => (sensitive ? [] : [associationId]));
      await announce(store, { raised, at, recount, ...((await isComplete(store, address, at)) && { address }) });
      return raised.length;
    });
  };
}

function nameIn({ naming }: BreachFeed, key: string): string {
  return naming === "own" ? nameOf(key).name : key;
}

function placeholder(name: string, at: Date): Breach {
  return {
    name,
    title: name,
    domain: "",
    breachDate: at.toISOString().slice(0, 10),
    addedDate: at.toISOString(),
    modifiedDate: at.toISOString(),
    dataClasses: [],
    flags: ["unverified"],
    pwnCount: 0,
    description: "",
    logoPath: "",
    attribution: undefined,
    disclosureUrl: undefined,
  };
}
