import type { DisclosureForm } from "../../shared/disclosure.ts";
import { type Breach, isStandIn, keyOf, nameOf, standIn } from "../catalogue/breach.ts";
import type { BreachDeps, BreachFeed, BreachStore, ClaimedScan, SourceTrouble } from "../ports.ts";
import { announce, endedChecks } from "./announce.ts";
import { answering, isTrouble } from "./sources.ts";

/** Recheck interval without news; a new breach makes every address due immediately. */
const RECHECK_MS = 7 * 24 * 3_600_000;
/** Recheck interval while the source is still importing. */
const PARTIAL_MS = 60_000;
/** Recheck interval after an answer of which a part could not be read. */
const LEFT_OUT_MS = 3_600_000;

/** How long alerts wait for the facts of a breach that no source has explained yet. */
const LONGEST_WAIT_MS = 3_600_000;

/** The breaches of an address, by their local names; `fetched` are missing from the stored catalogue. */
type Found = { kind: "found"; keys: string[]; fetched: Breach[]; againMs: number };
/** The form in which the address was sent to the source, if it was. */
type Told = { told?: DisclosureForm | undefined };
/** The source's answer for one address, or that it does not support the address. */
export type Answer = (Found | { kind: "unsupported" }) & { scan: ClaimedScan } & Told;
/** Why there is no answer for one address. */
export type Refusal = SourceTrouble & Told;
/** Numbers of checked addresses and raised alerts. */
export type Stored = { checked: number; raised: number };

/** Checks of addresses with one source: looked up one by one, stored in batches. */
export function checking({ transaction, feeds, now, report }: BreachDeps, feed: BreachFeed) {
  /** Cache of breach names, so that each is requested once. */
  const met = new Map<string, Promise<Breach | SourceTrouble | "stored">>();

  /**
   * Requests a breach that the stored catalogue lacks by name; if the source does not know it, a stand-in with that name is
   * used.
   */
  async function meet(key: string): Promise<Breach | SourceTrouble | "stored"> {
    if (await transaction(({ breaches }) => breaches.find(key))) return "stored";
    const answer = await feed.breach(nameIn(feed, key));
    if (answer.kind !== "breach") return answer;
    return { ...(answer.breach ?? standIn(nameIn(feed, key), now())), name: key };
  }

  /** The unstored breaches among these, or why the source cannot explain one now. */
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

  /** Unless the catalogue job has stored them meanwhile: from here on, only the stored entries count. */
  async function storeMet({ breaches }: BreachStore, fetched: Breach[], at: Date): Promise<void> {
    const met = new Map(fetched.map((breach) => [breach.name, breach]));
    await breaches.addUnlisted(
      feed.source,
      [...met.values()].map((breach) => ({
        breach,
        awaitedUntil: isStandIn(breach) ? after(at, LONGEST_WAIT_MS) : undefined,
      })),
      at,
    );
  }

  /** Addresses without outstanding checks by other available sources. */
  async function completeAmong(store: BreachStore, addresses: string[], at: Date): Promise<Set<string>> {
    if (feeds.length === 1) return new Set(addresses);
    const others = (await answering(store, feeds)).filter((source) => source !== feed.source);
    return new Set(addresses).difference(new Set(await store.scans.awaited(addresses, others, at)));
  }

  /** Stores the exposures of addresses with a valid lease and everything that follows; returns the number of raised alerts. */
  async function record(store: BreachStore, answers: (Found & { scan: ClaimedScan })[], at: Date): Promise<number> {
    const { alerts, watches, scans, breaches, exposures, disclosures } = store;
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
    // The last two watches may have ended concurrently, each seeing the other.
    const left = new Set(addresses).difference(new Set(watching.map(({ address }) => address)));
    await scans.remove([...left]);
    await exposures.removeUnwatched([...left]);
    await disclosures.removeUnwatched([...left]);
    const isComplete = await completeAmong(store, addresses, at);
    // The number of hidden alerts may change, as the source can reclassify a breach as sensitive.
    const recount = watching.flatMap(({ associationId, sensitive }) => (sensitive ? [] : [associationId]));
    const checked = watching.filter(({ address }) => isComplete.has(address));
    const ended = await endedChecks(store, checked, await answering(store, feeds), at);
    await announce(store, { raised, at, recount, ...ended });
    return raised.length;
  }

  /** Notes that the source was told these addresses. */
  async function noteTold(
    { disclosures }: BreachStore,
    answers: (Told & { scan: ClaimedScan })[],
    at: Date,
  ): Promise<void> {
    for (const [form, some] of Map.groupBy(answers, ({ told }) => told)) {
      if (form !== undefined)
        await disclosures.note(
          scansOf(some).map(({ address }) => address),
          { source: feed.source, form },
          at,
        );
    }
  }

  return {
    noteTold,

    /** Asks the source, and stores nothing. */
    async ask(scan: ClaimedScan): Promise<Answer | Refusal> {
      let told: DisclosureForm | undefined;
      const found = await feed.lookUp(scan.address, (form) => {
        told = form;
      });
      if (found.kind === "unsupported") return { scan, kind: "unsupported" };
      if (isTrouble(found)) return { ...found, told };
      const keys = [...new Set(found.breaches.map((name) => keyOf(feed, name)))];
      const fetched = await unstored(keys);
      if (!Array.isArray(fetched)) return { ...fetched, told };
      const { isPartial = false, leftOut = 0 } = found;
      if (leftOut > 0) report(new LeftOutOfAnswer(feed.source, leftOut), { job: "scan" });
      return {
        kind: "found",
        scan,
        told,
        keys,
        fetched,
        againMs: isPartial ? PARTIAL_MS : leftOut > 0 ? LEFT_OUT_MS : RECHECK_MS,
      };
    },

    /** Stores answers, alerts and events in one transaction of set operations. */
    store(answers: Answer[]): Promise<Stored> {
      const at = now();
      const found = answers.filter((answer) => answer.kind === "found");
      const unsupported = answers.filter((answer) => answer.kind === "unsupported");
      return transaction(async (store) => {
        const { scans, breaches } = store;
        if (feeds.length > 1) await breaches.lockLinksShared();
        await scans.lock(answers.map(({ scan }) => scan.address));
        // Leases first: a worker that lost one must not announce anything.
        const held = new Set<string>();
        for (const [ms, some] of Map.groupBy(found, ({ againMs }) => againMs))
          for (const address of await scans.finish(scansOf(some), at, after(at, ms))) held.add(address);
        const others = await scans.finishUnsupported(scansOf(unsupported), after(at, RECHECK_MS));
        await noteTold(store, answers, at);
        const lost = answers.filter(({ scan }) => !held.has(scan.address) && !others.includes(scan.address));
        await store.disclosures.removeUnwatched(scansOf(lost).map(({ address }) => address));
        const ours = found.filter(({ scan }) => held.has(scan.address));
        return { checked: held.size + others.length, raised: await record(store, ours, at) };
      });
    },
  };
}

/** Reported to the operator: the rest of the answer counts. */
class LeftOutOfAnswer extends Error {
  constructor(source: string, count: number) {
    super(`Left out ${count} of the breaches in an answer of ${source}: their names cannot be read`);
  }
}

const after = (at: Date, ms: number) => new Date(at.getTime() + ms);
const scansOf = (answers: { scan: ClaimedScan }[]) => answers.map(({ scan }) => scan);

function nameIn({ naming }: BreachFeed, key: string): string {
  return naming === "own" ? nameOf(key).name : key;
}
