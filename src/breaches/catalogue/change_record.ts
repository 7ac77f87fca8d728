import type { BreachStore, KeptBreach, NewChange } from "../ports.ts";
import type { Breach } from "./breach.ts";
import { changeBetween, isWorse, NO_DIFFERENCE } from "./breach_change.ts";
import { storageOf } from "./password_storage.ts";

type Comparison = {
  /** Entries as stored so far, and as their source lists them now. */
  before: KeptBreach[];
  listed: Map<string, { breach: Breach }>;
  /** Names that the source no longer lists. */
  removed: string[];
  at: Date;
};

const serious = (breach: Breach) => ({ ...breach, passwordStorage: storageOf(breach) });

/** Records changes of known entries, in the same transaction as the entries themselves. */
export async function recordChanges({ changes }: BreachStore, { before, listed, removed, at }: Comparison) {
  const earlier = Map.groupBy(
    await changes.listByBreaches(before.map(({ breach }) => breach.name)),
    ({ breachName }) => breachName,
  );
  const found = before.flatMap(({ breach, isRemoved, isLinked, isAwaited }): NewChange[] => {
    const after = listed.get(breach.name)?.breach;
    if (after === undefined) return [];
    const difference = changeBetween(breach, after);
    if (difference === undefined && !isRemoved) return [];
    const readings = { before: serious(breach), after: serious(after), earlier: earlier.get(breach.name) ?? [] };
    // A linked entry has no alerts and is not shown; its canonical entry is. Alerts that wait are still to be told.
    const worse = !isLinked && !isAwaited && isWorse({ ...readings, now: at });
    const retired = isRemoved ? false : null;
    return [{ ...(difference ?? NO_DIFFERENCE), breachName: breach.name, retired, worse }];
  });
  const gone = removed.map((breachName) => ({ ...NO_DIFFERENCE, breachName, retired: true, worse: false }));
  await changes.add([...found, ...gone], at);
}
