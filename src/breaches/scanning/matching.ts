import type { BreachStore, HashedFinding } from "../ports.ts";
import { announce } from "./announce.ts";

/** Finds tracked addresses by their hashes in one set operation, and raises and announces their alerts; returns how many. */
export async function matchAll(
  store: BreachStore,
  { source, findings, at }: { source: string; findings: HashedFinding[]; at: Date },
): Promise<number> {
  const { breaches, exposures, alerts } = store;
  await breaches.lockLinksShared();
  const names = await breaches.canonical([...new Set(findings.map(({ breachName }) => breachName))]);
  const canonical = findings.map(({ hash, breachName }) => ({ hash, breachName: names.get(breachName) ?? breachName }));
  const addresses = await exposures.match(source, canonical, at);
  const raised = await alerts.addMissing(
    addresses.map((address) => ({ address, breachNames: [] })),
    at,
  );
  await exposures.removeUnwatched(addresses);
  await announce(store, { raised, at });
  return raised.length;
}
