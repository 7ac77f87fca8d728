import { type Domain, isHeld } from "./domain.ts";
import type { DomainStore } from "./ports.ts";

/** Once no holder says any more that all addresses reach one mailbox, they may be people's. */
async function endCatchAll({ domains, findings }: DomainStore, holders: Domain[], now: Date): Promise<void> {
  const [first] = holders;
  if (!first || holders.some(({ catchAll }) => catchAll)) return;
  await findings.setUntoldKind(first.name, "person");
  await findings.summarise(first.name);
  await domains.wake(first.name, now);
}

/** After these claims were removed or have ended, given as they were before: removes what was found at domains that nobody holds any more. */
export async function forgetUnheld(store: DomainStore, former: Domain[], now: Date): Promise<void> {
  const { domains, findings, sources } = store;
  for (const { name, catchAll, ...claim } of former.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    await domains.lockName(name);
    const left = await domains.listByName(name);
    const holders = left.filter(isHeld);
    if (holders.length > 0) {
      if (catchAll && isHeld(claim)) await endCatchAll(store, holders, now);
      continue;
    }
    await findings.removeFindings(name);
    await sources.remove(name);
    // A claim that was never proven has no people.
    if (left.every(({ provenAt }) => provenAt === undefined)) await findings.forget(name);
  }
}
