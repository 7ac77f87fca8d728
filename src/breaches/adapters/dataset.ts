import type { Transaction } from "../../shared/transaction.ts";
import type { BreachFeed, BreachStore } from "../ports.ts";
import { addressHashes } from "./address_hashes.ts";

/** What the operator's own files say, once they are imported. */
export function datasetFeed(transaction: Transaction<Pick<BreachStore, "datasets">>): BreachFeed {
  const breaches = () => transaction(({ datasets }) => datasets.listBreaches());
  return {
    source: "dataset",
    // A breach of a file stands under its key already: HIBP's name, or one behind the name of this source.
    naming: "hibp",
    isMatched: true,
    demonstration: false,
    pollEveryMs: 60 * 60_000,

    async latest() {
      const [first, ...others] = await breaches();
      const newest = others.reduce((a, b) => (a && b.addedDate <= a.addedDate ? a : b), first);
      return { kind: "latest", name: newest?.name ?? "", addedDate: newest?.addedDate ?? "" };
    },
    catalogue: async () => ({ kind: "catalogue", breaches: await breaches(), broken: 0 }),
    breach: async (name) => ({ kind: "breach", breach: (await breaches()).find((breach) => breach.name === name) }),
    async lookUp(address) {
      const { sha1, sha256 } = addressHashes(address);
      return { kind: "found", breaches: await transaction(({ datasets }) => datasets.breachesOf([sha1, sha256])) };
    },
  };
}
