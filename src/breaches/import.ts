import { type Breach, contentOf, keyOf } from "./breach.ts";
import { type DatasetLine, datasetReader } from "./dataset_lines.ts";
import { UnreadableFile } from "./dataset_ports.ts";
import { linkAlike } from "./linking.ts";
import { matchAll } from "./matching.ts";
import { NewLabel, newLabels } from "./new_labels.ts";
import type { BreachDeps, BreachStore, ImportDesk, ImportProgress, ImportRequest } from "./ports.ts";

/** Renewed by every batch. */
const LEASE_MS = 20_000;
const MOST_PROBLEMS = 100;
const DATASET = { source: "dataset", naming: "own" } as const;

type Found = Extract<DatasetLine, { kind: "finding" }>;
type Batch = { found: Found[]; progress: ImportProgress };

/** Imports operators' files, each batch and how far it is in one transaction: whenever it ends, the next run goes on there. */
export function importing({ transaction, imports, now, hash, report }: BreachDeps) {
  /** What the lines say, up to the first bad one unless those are to be skipped. */
  function readBatch(
    lines: (string | undefined)[],
    read: (text: string) => DatasetLine,
    { before, skipBad }: { before: ImportProgress; skipBad: boolean },
  ): Batch {
    const progress = { ...before, problems: [...before.problems] };
    const found: Found[] = [];
    for (const text of lines) {
      const line: DatasetLine = text === undefined ? { kind: "bad", reason: "it is too long" } : read(text);
      if (line.kind === "bad") {
        const problem = { line: progress.lines + 1, reason: line.reason };
        if (!skipBad)
          return { found, progress: { ...progress, state: "stopped", reason: `Line ${problem.line}: ${line.reason}` } };
        progress.bad += 1;
        if (progress.problems.length < MOST_PROBLEMS) progress.problems.push(problem);
      }
      if (line.kind === "finding") found.push(line);
      progress.lines += 1;
    }
    return { found, progress };
  }

  /** The breaches by the names that a file uses; one that no catalogue knows becomes one of this source. */
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
    for (const label of await newLabels(store, breaches))
      report(new NewLabel(label), { source: DATASET.source, label });
    await store.breaches.put(
      DATASET.source,
      breaches.map((breach) => ({ breach, hash: hash(contentOf(breach)) })),
      now(),
    );
    if (fresh.length > 0) await linkAlike(store);
    return new Map(names.map((name) => [name, known.has(name) ? name : own(name)]));
  }

  /** False when another process has the file by now. */
  function storeBatch(
    { found, progress }: Batch,
    request: ImportRequest,
    leaseToken: string,
  ): Promise<ImportProgress | undefined> {
    return transaction(async (store) => {
      const at = now();
      await store.breaches.holdLinks();
      const keys = await breachesOf(store, [...new Set(found.map(({ breach }) => breach))], request);
      const findings = found.map(({ hash: hashed, breach }) => ({
        hash: hashed,
        breachName: keys.get(breach) ?? breach,
      }));
      const added = progress.added + (await store.datasets.add(findings));
      const raised = progress.raised + (await matchAll(store, { source: DATASET.source, findings, at }));
      const stored = { ...progress, added, raised };
      // At its end it is free at once: a repeated request is answered.
      const until = new Date(at.getTime() + (progress.state === "running" ? LEASE_MS : -1));
      if (await store.datasets.advance(request.id, leaseToken, stored, until)) return stored;
      throw new LostLease();
    }).catch((error) => {
      if (error instanceof LostLease) return undefined;
      throw error;
    });
  }

  /** Whoever comes next goes on where this one was. */
  async function giveBack({ id }: ImportRequest, leaseToken: string, progress: ImportProgress): Promise<void> {
    await transaction(({ datasets }) => datasets.advance(id, leaseToken, progress, new Date(now().getTime() - 1)));
  }

  async function importFile(desk: ImportDesk, request: ImportRequest, isOver: () => boolean): Promise<void> {
    const claimed = await transaction(({ datasets }) => datasets.claim(request.id, now(), LEASE_MS));
    if (claimed === undefined) return;
    const { leaseToken } = claimed;
    let progress: ImportProgress | undefined = claimed.progress;
    const end = (last: ImportProgress) => storeBatch({ found: [], progress: last }, request, leaseToken);
    try {
      if (progress.state !== "done") {
        progress = { ...progress, state: "running", reason: undefined };
        const read = datasetReader(await desk.firstLine(request), { breach: request.breach, hash });
        for await (const lines of desk.batches(request, progress.lines)) {
          progress = await storeBatch(
            readBatch(lines, read, { before: progress, skipBad: request.skipBad }),
            request,
            leaseToken,
          );
          if (progress === undefined) return;
          await desk.tell(request, progress);
          if (progress.state !== "running") return;
          if (isOver()) return await giveBack(request, leaseToken, progress);
        }
        progress = { ...progress, state: "done" };
      }
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      progress = { ...(progress ?? claimed.progress), state: "stopped", reason: error.message };
    }
    const last = await end(progress);
    if (last) await desk.tell(request, last);
  }

  return {
    /** Imports what waits, one file after the other, until `isOver`, asked between two batches. */
    async importDue(isOver = () => false): Promise<void> {
      for (const request of (await imports?.list()) ?? []) {
        if (isOver()) return;
        try {
          if (imports) await importFile(imports, request, isOver);
        } catch (error) {
          // The others go on; this one does when its lease is over.
          report(error, { job: "imports" });
        }
      }
    },
  };
}

class LostLease extends Error {}

function newBreach(name: string, facts: ImportRequest["facts"], at: Date): Breach {
  const addedDate = `${at.toISOString().slice(0, 19)}Z`;
  return {
    ...{ name: keyOf(DATASET, name), title: facts.title ?? name, domain: facts.domain ?? "" },
    ...{ breachDate: facts.breachDate ?? addedDate.slice(0, 10), addedDate, modifiedDate: addedDate },
    ...{ dataClasses: facts.dataClasses ?? ["Email addresses"], flags: [], pwnCount: 0, description: "", logoPath: "" },
    ...{ attribution: undefined, disclosureUrl: undefined },
  };
}
