import { causeOf } from "../../../../shared/http_response.ts";
import type { Transaction } from "../../../../shared/transaction.ts";
import type { BreachFeed, BreachStore, DatasetRepository, SourceTrouble } from "../../../ports.ts";
import { latestOf } from "../entries.ts";
import { later } from "../source_http.ts";
import { addressHashes } from "./address_hashes.ts";

const POLL_EVERY_MS = 60 * 60_000;
/** Longer than it takes to store the end of a file. */
const SETTLED_MS = 60_000;

/** The operator's imported files as a source. */
export function datasetFeed(transaction: Transaction<Pick<BreachStore, "datasets">>, now: () => Date): BreachFeed {
  /** The database may be unavailable, too, which is handled like an outage of any other source. */
  async function read<Value>(work: (datasets: DatasetRepository) => Promise<Value>): Promise<Value | SourceTrouble> {
    try {
      return await transaction(({ datasets }) => work(datasets));
    } catch (error) {
      return later(`Cannot read what was imported: ${causeOf(error)}`);
    }
  }
  const breaches = () => read(async (datasets) => ({ list: await datasets.listBreaches() }));

  return {
    source: "dataset",
    // Breaches of files are stored under their keys already: HIBP's name, or one prefixed by this source's name.
    naming: "hibp",
    isMatched: true,
    demonstration: false,
    pollEveryMs: POLL_EVERY_MS,

    async latest() {
      const known = await breaches();
      return "kind" in known ? known : latestOf(known.list);
    },
    async catalogue() {
      const known = await breaches();
      return "kind" in known ? known : { kind: "catalogue", breaches: known.list, leftOut: [] };
    },
    async breach(name) {
      const known = await breaches();
      return "kind" in known ? known : { kind: "breach", breach: known.list.find((breach) => breach.name === name) };
    },
    async lookUp(address) {
      const { sha1, sha256 } = addressHashes(address);
      const since = new Date(now().getTime() - SETTLED_MS);
      const found = await read(async (datasets) => ({
        // Checked after the look-up, so that entries stored in between are noticed.
        isPartial: await datasets.hasGrownSince(since),
        breaches: await datasets.breachesOf([sha1, sha256]),
      }));
      if ("kind" in found) return found;
      return { kind: "found", breaches: found.breaches, ...(found.isPartial && { isPartial: true }) };
    },
  };
}
