import { type Breach, compareCatalogues, contentOf, NOT_LISTED_YET } from "./breach.ts";
import type { BreachDeps, ClaimedScan, SourceTrouble } from "./ports.ts";

const SCAN_LEASE_MS = 5 * 60_000;
const SCAN_BATCH = 50;
const LONGEST_WAIT_MS = 10_000;
const LARGEST_REMOVED_SHARE = 0.05;
/** Without news an address is looked at again after a week; a new breach makes every address due at once. */
const RECHECK_MS = 7 * 24 * 3_600_000;
/** The whole catalogue is compared at least daily: a correction does not move the newest entry. */
const RESYNC_MS = 24 * 3_600_000;
const RETRY_MS = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000];

export type CatalogueReport = { added: string[]; changed: string[]; removed: string[]; broken: number };
export type ScanReport = { checked: number; raised: number; trouble: SourceTrouble | undefined };

/** Keeps the catalogue, and checks addresses against the source. */
export function scanning({ transaction, feed, now, sleep, report, hash }: BreachDeps) {
  function troubled(source: string, trouble: SourceTrouble) {
    report(new Error(`Breach source ${source} gave no answer: ${trouble.reason}`), { kind: trouble.kind });
    return transaction(async ({ sources }) => {
      await sources.save({ ...(await sources.find(source)), trouble: trouble.reason });
    });
  }

  /** Reads the whole catalogue and stores what differs by content. A catalogue that changed makes all addresses due. */
  async function syncCatalogue(): Promise<CatalogueReport | SourceTrouble> {
    const answer = await feed.catalogue();
    if (answer.kind !== "catalogue") {
      await troubled(feed.source, answer);
      return answer;
    }
    const listed = new Map(answer.breaches.map((breach) => [breach.name, { breach, hash: hash(contentOf(breach)) }]));
    return transaction(async ({ breaches, sources }) => {
      const stored = await breaches.hashes(feed.source);
      const difference = compareCatalogues(stored, new Map([...listed].map(([name, entry]) => [name, entry.hash])));
      const put = [...difference.added, ...difference.changed].flatMap((name) => listed.get(name) ?? []);
      await breaches.put(feed.source, put, now());
      // A broken or suspiciously short list is no proof that an entry is gone.
      const isPlausible = answer.broken === 0 && difference.removed.length <= stored.size * LARGEST_REMOVED_SHARE;
      const removed = isPlausible ? difference.removed : [];
      await breaches.markRemoved(feed.source, removed, now());
      const state = await sources.find(feed.source);
      const newest = newestOf(answer.breaches);
      await sources.save({
        ...state,
        latestName: newest?.name,
        latestAdded: newest?.addedDate,
        generation: state.generation + (difference.added.length > 0 ? 1 : 0),
        syncedAt: now(),
        checkedAt: now(),
        trouble: undefined,
      });
      return { added: difference.added, changed: difference.changed, removed, broken: answer.broken };
    });
  }

  /** The catalogue job: one small request, and the whole catalogue only when something is new or a day has passed. */
  async function pollCatalogue(): Promise<CatalogueReport | SourceTrouble | undefined> {
    const next = new Date(now().getTime() + feed.pollEveryMs);
    const state = await transaction(async ({ sources }) =>
      (await sources.claimPoll(feed.source, now(), next)) ? sources.find(feed.source) : undefined,
    );
    if (state === undefined) return undefined;
    if (state.syncedAt === undefined || now().getTime() - state.syncedAt.getTime() >= RESYNC_MS) return syncCatalogue();
    const latest = await feed.latest();
    if (latest.kind !== "latest") {
      await troubled(feed.source, latest);
      return latest;
    }
    if (latest.name !== state.latestName || latest.addedDate !== state.latestAdded) return syncCatalogue();
    await transaction(async ({ sources }) => {
      await sources.save({ ...(await sources.find(feed.source)), checkedAt: now(), trouble: undefined });
    });
    return undefined;
  }

  /** Breaches that the stored catalogue lacks are asked for by name; unknown even there, the name stands in. */
  async function missingBreaches(names: string[]): Promise<Breach[] | SourceTrouble> {
    const known = await transaction(({ breaches }) => breaches.listByNames(names));
    const missing = names.filter((name) => !known.some((breach) => breach.name === name));
    const fetched: Breach[] = [];
    for (const name of missing) {
      const answer = await feed.breach(name);
      if (answer.kind !== "breach") return answer;
      fetched.push(answer.breach ?? placeholder(name, now()));
    }
    return fetched;
  }

  /** One address: ask the source, then store exposures, alerts and their announcement in one transaction. */
  async function check(scan: ClaimedScan): Promise<number | SourceTrouble> {
    const found = await feed.lookUp(scan.address);
    if (found.kind !== "found") return found;
    const names = [...new Set(found.breaches)];
    const fetched = await missingBreaches(names);
    if (!Array.isArray(fetched)) return fetched;
    const checkedAt = now();
    return transaction(async (store) => {
      const { alerts, watches, scans, events, breaches } = store;
      // The lease first: a worker that lost it must not announce anything.
      if (!(await scans.finish(scan, checkedAt, new Date(checkedAt.getTime() + RECHECK_MS)))) return 0;
      // The catalogue job may have brought them in the meantime.
      const known = new Set((await breaches.listByNames(fetched.map(({ name }) => name))).map(({ name }) => name));
      const met = fetched.filter(({ name }) => !known.has(name)).map((breach) => ({ breach, hash: NOT_LISTED_YET }));
      await breaches.put(feed.source, met, checkedAt);
      const raised = await alerts.addMissing(scan.address, names, checkedAt);
      const news = raised.filter((alert) => !alert.baseline);
      const watching = await watches.listActive(scan.address);
      // The last two to leave at the same time each took the other for one who stays.
      if (watching.length === 0) await scans.remove(scan.address);
      for (const watch of watching) {
        const own = raised.filter((alert) => alert.associationId === watch.associationId);
        const first = watch.baselineAt === undefined && (await watches.markBaseline(watch.associationId, checkedAt));
        if (first) {
          const alertIds = own.map((alert) => alert.id);
          await events.publish({
            type: "breaches.baselineReady",
            associationId: watch.associationId,
            accountId: watch.accountId,
            alertIds,
          });
        }
        if (first || own.length > 0) {
          const { open, version } = await alerts.countOpen(watch.associationId);
          await events.publish({
            type: "breaches.openAlertsChanged",
            associationId: watch.associationId,
            open,
            version,
          });
        }
      }
      if (news.length > 0) {
        await events.publish({
          type: "breaches.alertsRaised",
          alerts: news.map(({ id, associationId, accountId }) => ({ alertId: id, associationId, accountId })),
        });
      }
      return raised.length;
    });
  }

  function release(scan: ClaimedScan, trouble: SourceTrouble | undefined, failed: boolean) {
    const backoff = RETRY_MS[Math.min(scan.failures, RETRY_MS.length - 1)] ?? 0;
    const wait = trouble?.kind === "later" ? trouble.afterMs : backoff;
    return transaction(({ scans }) => scans.release(scan, new Date(now().getTime() + wait), failed));
  }

  /** Like `check`, but waits for the source's next slot when that is near. */
  async function checkInTurn(scan: ClaimedScan, until: number): Promise<number | SourceTrouble> {
    for (;;) {
      const outcome = await check(scan);
      if (typeof outcome === "number" || outcome.kind !== "later") return outcome;
      if (outcome.afterMs > LONGEST_WAIT_MS || now().getTime() + outcome.afterMs > until) return outcome;
      await sleep(outcome.afterMs);
    }
  }

  /** Checks one batch; what the source has no time for goes back unharmed. */
  async function scanBatch(batch: ClaimedScan[]): Promise<ScanReport> {
    const until = now().getTime() + SCAN_LEASE_MS / 2;
    const result: ScanReport = { checked: 0, raised: 0, trouble: undefined };
    for (const scan of batch) {
      if (result.trouble) {
        await release(scan, result.trouble, false);
        continue;
      }
      try {
        const outcome = await checkInTurn(scan, until);
        if (typeof outcome === "number") {
          result.checked += 1;
          result.raised += outcome;
        } else {
          result.trouble = outcome;
          await release(scan, outcome, true);
        }
      } catch (error) {
        // One address that cannot be stored must not stop the others.
        report(error, { job: "scan" });
        await release(scan, undefined, true);
      }
    }
    return result;
  }

  /** Checks what is due until nothing is, or until the source wants a pause. */
  async function scanDue(): Promise<ScanReport> {
    const total: ScanReport = { checked: 0, raised: 0, trouble: undefined };
    for (;;) {
      const batch = await transaction(({ scans }) => scans.claimDue(feed.source, SCAN_BATCH, now(), SCAN_LEASE_MS));
      const { checked, raised, trouble } = await scanBatch(batch);
      total.checked += checked;
      total.raised += raised;
      total.trouble = trouble;
      if (trouble?.kind === "misconfigured") await troubled(feed.source, trouble);
      if (trouble || batch.length < SCAN_BATCH) return total;
    }
  }

  return { syncCatalogue, pollCatalogue, scanDue };
}

function newestOf(breaches: Breach[]): Breach | undefined {
  return breaches.reduce<Breach | undefined>(
    (newest, breach) => (newest && newest.addedDate >= breach.addedDate ? newest : breach),
    undefined,
  );
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
