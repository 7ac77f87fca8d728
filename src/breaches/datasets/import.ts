import { type Breach, contentOf, keyOf } from "../catalogue/breach.ts";
import { linkAlike } from "../catalogue/linking.ts";
import { newLabels, noteLabels } from "../catalogue/new_labels.ts";
import type { BreachDeps, BreachStore, ImportQueue, ImportRequest } from "../ports.ts";
import { matchAll } from "../scanning/matching.ts";
import {
  type DomainFind,
  type HashBlock,
  type HashedFinding,
  type ImportCounts,
  type ImportReach,
  UnreadableFile,
} from "./dataset_ports.ts";
import { type Run, runsOf } from "./import_runs.ts";

/** Renewed with everything that is stored. */
const LEASE_MS = 20_000;
const DATASET = { source: "dataset", naming: "own" } as const;
/** The limits of one transaction, so that others need not wait for long, and how many run concurrently. */
const AT_ONCE = { candidates: 500, atDomains: 500, blocks: 1024, parts: 3 };

type Held = { request: ImportRequest; leaseToken: string };
/** The content of one transaction. */
type Part = { findings: HashedFinding[] } | { blocks: HashBlock[] } | { atDomains: DomainFind[] };

/**
 * Imports operators' files. Progress is stored after the data, and storing the data is idempotent, so that an interrupted import
 * can resume at any point.
 */
export function importing(deps: BreachDeps) {
  const { transaction, imports, domainFinds, now, hash, report } = deps;

  /** Resolves the breach names of a file; unknown ones are added as breaches of this source. */
  async function breachesOf(
    store: BreachStore,
    names: string[],
    { breach, facts }: ImportRequest,
  ): Promise<Map<string, string>> {
    const own = (name: string) => keyOf(DATASET, name);
    const listed = await store.breaches.listByNames(names.flatMap((name) => [name, own(name)]));
    const known = new Set(listed.map(({ name }) => name));
    const fresh = names.filter((name) => !known.has(name) && !known.has(own(name)));
    const breaches = fresh.map((name) => newBreach(name, name === breach ? facts : {}, now()));
    noteLabels(deps, DATASET.source, await newLabels(store, breaches));
    await store.breaches.put(
      DATASET.source,
      breaches.map((breach) => ({ breach, hash: hash(contentOf(breach)) })),
      now(),
    );
    if (fresh.length > 0) await linkAlike(store);
    return new Map(names.map((name) => [name, known.has(name) ? name : own(name)]));
  }

  /** Stores the progress; throws when another process has taken over the file. */
  async function advance({ request, leaseToken }: Held, reached: ImportReach): Promise<void> {
    // Releases the lease at the end, so that a repeated request is answered immediately.
    const until = new Date(now().getTime() + (reached.state === "running" ? LEASE_MS : -1));
    if (await transaction(({ datasets }) => datasets.advance(request.id, leaseToken, reached, until))) return;
    throw new LostLease();
  }

  async function storeIn(store: BreachStore, part: Part, at: Date): Promise<ImportCounts> {
    if ("blocks" in part) return { added: await store.datasets.add(part.blocks), raised: 0 };
    if ("atDomains" in part) return { added: 0, raised: 0 };
    return { added: 0, raised: await matchAll(store, { source: DATASET.source, findings: part.findings, at }) };
  }

  /** Stores a part of a run with its counters. */
  async function storePart({ request, leaseToken }: Held, part: Part): Promise<ImportCounts> {
    if ("atDomains" in part) await domainFinds?.add(part.atDomains);
    return transaction(async (store) => {
      const at = now();
      const counts = await storeIn(store, part, at);
      const until = new Date(at.getTime() + LEASE_MS);
      if (await store.datasets.count(request.id, leaseToken, counts, until)) return counts;
      throw new LostLease();
    });
  }

  /** The parts to store, in order, until `isOver`. */
  async function* stepsOf(request: ImportRequest, runs: AsyncGenerator<Run>, isOver: () => boolean) {
    let reading = runs.next();
    try {
      for (;;) {
        const { value: run } = await reading;
        if (!run) return;
        // Reads the next run while this one is stored; an error surfaces when it is awaited.
        reading = runs.next();
        reading.catch(() => {});
        const keys = await transaction(async (store) => {
          await store.breaches.lockLinksShared();
          return breachesOf(store, run.all.names(), request);
        });
        const parts: Promise<unknown>[] = [];
        let isBegun = false;
        for (const part of partsOf(run, (breach) => keys.get(breach) ?? breach)) {
          if (isBegun && "findings" in part && isOver()) return;
          isBegun = true;
          yield { parts, part };
        }
        yield { parts, reached: run.progress };
        if (run.progress.state !== "running" || isOver()) return;
      }
    } finally {
      await reading.catch(() => {});
      await runs.return(undefined);
    }
  }

  async function importFile(imports: ImportQueue, request: ImportRequest, isOver: () => boolean): Promise<void> {
    const claimed = await transaction(({ datasets }) => datasets.claim(request.id, now(), LEASE_MS));
    if (claimed === undefined) return;
    const held = { request, leaseToken: claimed.leaseToken };
    let { progress } = claimed;

    /** Ends a run once its parts are stored, in the order of the file. */
    async function endRun(reached: ImportReach, before: Promise<unknown>[]): Promise<void> {
      await Promise.all(before);
      await advance(held, reached);
      progress = { ...reached, added: progress.added, raised: progress.raised };
      await imports.tell(request, progress);
    }

    try {
      if (progress.state !== "done") {
        progress = { ...progress, state: "running", reason: undefined };
        const steps = stepsOf(request, runsOf(deps, { imports, request, from: progress }), isOver);
        let lastEnd = Promise.resolve();
        await atOnce(AT_ONCE.parts, async () => {
          // After a failure no other part is started.
          for await (const { parts, part, reached } of steps) {
            if (part) {
              const storing = storePart(held, part);
              parts.push(storing);
              const { added, raised } = await storing;
              progress = { ...progress, added: progress.added + added, raised: progress.raised + raised };
            }
            if (reached) {
              lastEnd = endRun(reached, [lastEnd, ...parts]);
              await lastEnd;
            }
          }
        });
        return progress.state === "running" ? await giveBack(held, progress) : undefined;
      }
    } catch (error) {
      if (error instanceof LostLease) return;
      if (!(error instanceof UnreadableFile)) throw error;
      progress = { ...progress, state: "stopped", reason: error.message };
    }
    await advance(held, progress);
    await imports.tell(request, progress);
  }

  /** Stores the progress for the next process to resume. */
  async function giveBack({ request, leaseToken }: Held, reached: ImportReach): Promise<void> {
    const until = new Date(now().getTime() - 1);
    await transaction(({ datasets }) => datasets.advance(request.id, leaseToken, reached, until));
  }

  return {
    /** Imports all requests one after the other, until `isOver`, which is checked between batches. */
    async importDue(isOver = () => false): Promise<void> {
      for (const request of (await imports?.list()) ?? []) {
        if (isOver()) return;
        try {
          if (imports) await importFile(imports, request, isOver);
        } catch (error) {
          // Continue with the other files; this one is retried when its lease expires.
          report(error, { job: "imports" });
        }
      }
    },
  };
}

class LostLease extends Error {}

/** Alternates between matching and storing, so that both run concurrently. */
function* partsOf({ candidates, atDomains, all }: Run, keyed: (breach: string) => string): Generator<Part> {
  const matched = chunks(candidates, AT_ONCE.candidates);
  const found = chunks(atDomains, AT_ONCE.atDomains);
  const stored = chunks(all.blocks(), AT_ONCE.blocks);
  for (;;) {
    const [hashes, addresses, blocks] = [matched.next().value, found.next().value, stored.next().value];
    if (hashes) yield { findings: hashes.map(({ hash, breach }) => ({ hash, breachName: keyed(breach) })) };
    if (addresses)
      yield { atDomains: addresses.map(({ breach, ...find }) => ({ ...find, breachName: keyed(breach) })) };
    if (blocks) yield { blocks: blocks.map((block) => ({ ...block, breachName: keyed(block.breachName) })) };
    if (!hashes && !addresses && !blocks) return;
  }
}

function* chunks<Item>(items: Iterable<Item>, most: number): Generator<Item[], undefined> {
  let list: Item[] = [];
  for (const item of items) {
    list.push(item);
    if (list.length < most) continue;
    yield list;
    list = [];
  }
  if (list.length > 0) yield list;
}

/** Runs several workers and waits for all of them. */
async function atOnce(count: number, work: () => Promise<void>): Promise<void> {
  const ends = await Promise.allSettled(Array.from({ length: count }, work));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

function newBreach(name: string, facts: ImportRequest["facts"], at: Date): Breach {
  const addedDate = `${at.toISOString().slice(0, 19)}Z`;
  return {
    name: keyOf(DATASET, name),
    title: facts.title ?? name,
    domain: facts.domain ?? "",
    breachDate: facts.breachDate ?? null,
    addedDate,
    modifiedDate: addedDate,
    dataClasses: facts.dataClasses ?? ["Email addresses"],
    flags: [],
    pwnCount: 0,
    description: "",
    logoPath: "",
    attribution: undefined,
    disclosureUrl: undefined,
  };
}
