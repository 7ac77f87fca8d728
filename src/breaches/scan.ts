import { type Breach, NOT_LISTED_YET } from "./breach.ts";
import type { BreachDeps, ClaimedScan, SourceTrouble } from "./ports.ts";

const SCAN_LEASE_MS = 5 * 60_000;
const SCAN_BATCH = 50;
const LONGEST_WAIT_MS = 10_000;
/** Without news an address is looked at again after a week; a new breach makes every address due at once. */
const RECHECK_MS = 7 * 24 * 3_600_000;
const RETRY_MS = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000];

export type ScanReport = { checked: number; raised: number; trouble: SourceTrouble | undefined };

/** Checks addresses against the source. */
export function scanning({ transaction, feed, now, sleep, report }: BreachDeps) {
  /** Kept apart from the catalogue's troubles: that the list can be read does not mean that addresses can be checked. */
  async function noteLookUps({ trouble, checked }: ScanReport): Promise<void> {
    if (trouble)
      report(new Error(`Cannot check addresses with ${feed.source}: ${trouble.reason}`), { kind: trouble.kind });
    if (!trouble && checked === 0) return;
    await transaction(async ({ sources }) => {
      const state = await sources.find(feed.source);
      if (state.lookUpTrouble !== trouble?.reason) await sources.save({ ...state, lookUpTrouble: trouble?.reason });
    });
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
      if (watching.length === 0 && (await watches.countAll(scan.address)) === 0)
        await alerts.removeExposures(scan.address);
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
        // Of what is hidden the source decides: it may call another breach sensitive than at the last check.
        if (first || own.length > 0 || !watch.sensitive) {
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
      if (trouble === undefined && batch.length === SCAN_BATCH) continue;
      // A slot that is merely not free yet is no trouble.
      if (trouble?.kind !== "later" || trouble.afterMs > LONGEST_WAIT_MS) await noteLookUps(total);
      return total;
    }
  }

  return { scanDue };
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
