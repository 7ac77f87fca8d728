import { type Breach, keyOf, NOT_LISTED_YET, nameOf } from "../catalogue/breach.ts";
import type { BreachDeps, BreachFeed, BreachStore, ClaimedScan, SourceTrouble } from "../ports.ts";
import { announce } from "./announce.ts";
import { answering } from "./sources.ts";

/** Without news an address is looked at again after a week; a new breach makes every address due at once. */
const RECHECK_MS = 7 * 24 * 3_600_000;
/** What a source did not know all of yet is asked for again. */
const PARTIAL_MS = 60_000;

/** An address in breaches, by the names they have here; `fetched` are those that no catalogue listed so far. */
type Found = { kind: "found"; scan: ClaimedScan; keys: string[]; fetched: Breach[]; isPartial: boolean };
/** What the source said of one address, or that it cannot be asked for it at all. */
export type Answer = Found | { kind: "unsupported"; scan: ClaimedScan };
/** How many addresses were checked, and how many alerts that raised. */
export type Stored = { checked: number; raised: number };

/** Checks of addresses with one source: asked one by one, stored many at once. */
export function checking({ transaction, feeds, now }: BreachDeps, feed: BreachFeed) {
  /** What is known of names: asked for once, however many addresses have one at the same time. */
  const met = new Map<string, Promise<Breach | SourceTrouble | "stored">>();

  /** A breach that the stored catalogue lacks is asked for by name; unknown even there, the name stands in. */
  async function meet(key: string): Promise<Breach | SourceTrouble | "stored"> {
    if (await transaction(({ breaches }) => breaches.find(key))) return "stored";
    const answer = await feed.breach(nameIn(feed, key));
    if (answer.kind !== "breach") return answer;
    return { ...(answer.breach ?? placeholder(nameIn(feed, key), now())), name: key };
  }

  /** Those of these names that are not stored yet, or why the source cannot explain one now. */
  async function unstored(keys: string[]): Promise<Breach[] | SourceTrouble> {
    const fetched: Breach[] = [];
    for (const key of keys) {
      const meeting = met.get(key) ?? meet(key);
      met.set(key, meeting);
      const outcome = await meeting.catch((error: unknown) => {
        met.delete(key);
        throw error;
      });
      if (outcome === "stored") continue;
      met.delete(key);
      if ("kind" in outcome) return outcome;
      fetched.push(outcome);
    }
    return fetched;
  }

  /** The catalogue job may have brought them in the meantime. */
  async function storeMet({ breaches }: BreachStore, fetched: Breach[], at: Date): Promise<void> {
    const known = new Set((await breaches.listByNames(fetched.map(({ name }) => name))).map(({ name }) => name));
    const met = new Map(fetched.flatMap((breach) => (known.has(breach.name) ? [] : [[breach.name, breach]])));
    const list = [...met.keys()].toSorted().flatMap((name) => met.get(name) ?? []);
    await breaches.put(
      feed.source,
      list.map((breach) => ({ breach, hash: NOT_LISTED_YET })),
      at,
    );
  }

  /** Addresses that no other source that can answer still has to check. */
  async function completeAmong(store: BreachStore, addresses: string[], at: Date): Promise<Set<string>> {
    if (feeds.length === 1) return new Set(addresses);
    const others = (await answering(store, feeds)).filter((source) => source !== feed.source);
    return new Set(addresses).difference(new Set(await store.scans.awaited(addresses, others, at)));
  }

  /** The exposures of addresses whose lease is ours, and all that follows; returns how many alerts that raised. */
  async function record(store: BreachStore, answers: Found[], at: Date): Promise<number> {
    const { alerts, watches, scans, breaches, exposures } = store;
    const addresses = answers.map(({ scan }) => scan.address);
    await storeMet(
      store,
      answers.flatMap(({ fetched }) => fetched),
      at,
    );
    const names = await breaches.canonical([...new Set(answers.flatMap(({ keys }) => keys))]);
    const findings = answers.map(({ scan: { address }, keys }) => ({
      address,
      breachNames: [...new Set(keys.map((key) => names.get(key) ?? key))],
    }));
    const raised = await alerts.addMissing(findings, at, feed.source);
    const watching = await watches.listActive(addresses);
    // The last two to leave at the same time each took the other for one who stays.
    const left = new Set(addresses).difference(new Set(watching.map(({ address }) => address)));
    await scans.remove([...left]);
    await exposures.removeUnwatched([...left]);
    const isComplete = await completeAmong(store, addresses, at);
    // Of what is hidden the source decides: it may call another breach sensitive than at the last check.
    const recount = watching.flatMap(({ associationId, sensitive }) => (sensitive ? [] : [associationId]));
    await announce(store, { raised, at, recount, complete: watching.filter(({ address }) => isComplete.has(address)) });
    return raised.length;
  }

  return {
    /** Asks the source, and stores nothing. */
    async ask(scan: ClaimedScan): Promise<Answer | SourceTrouble> {
      const found = await feed.lookUp(scan.address);
      if (found.kind === "unsupported") return { scan, kind: "unsupported" };
      if (found.kind !== "found") return found;
      const keys = [...new Set(found.breaches.map((name) => keyOf(feed, name)))];
      const fetched = await unstored(keys);
      if (!Array.isArray(fetched)) return fetched;
      return { kind: "found", scan, keys, fetched, isPartial: found.isPartial === true };
    },

    /** Stores what was answered, the alerts it raises and their announcement, in one transaction of set operations. */
    store(answers: Answer[]): Promise<Stored> {
      const at = now();
      const nextAt = new Date(at.getTime() + RECHECK_MS);
      const found = answers.filter((answer) => answer.kind === "found");
      const unsupported = answers.filter((answer) => answer.kind === "unsupported");
      return transaction(async (store) => {
        const { scans, breaches } = store;
        if (feeds.length > 1) await breaches.holdLinks();
        await scans.hold(answers.map(({ scan }) => scan.address));
        // The leases first: a worker that lost one must not announce anything of it.
        const [partial, whole] = [
          found.filter(({ isPartial }) => isPartial),
          found.filter(({ isPartial }) => !isPartial),
        ];
        const held = new Set(await scans.finish(scansOf(whole), at, nextAt));
        for (const address of await scans.finish(scansOf(partial), at, new Date(at.getTime() + PARTIAL_MS)))
          held.add(address);
        const others = await scans.finishUnsupported(scansOf(unsupported), nextAt);
        const ours = found.filter(({ scan }) => held.has(scan.address));
        return { checked: held.size + others.length, raised: await record(store, ours, at) };
      });
    },
  };
}

const scansOf = (answers: Answer[]) => answers.map(({ scan }) => scan);

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
