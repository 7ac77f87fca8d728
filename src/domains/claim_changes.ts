import { claimantsOf } from "./coverage.ts";
import { type Domain, isHeld, proofMissing, proofSeen, proofUnreachable } from "./domain.ts";
import { changeMails } from "./mails.ts";
import type { Account, DomainDeps, DomainStore, ProofLook } from "./ports.ts";
import { forgetUnheld } from "./unheld.ts";

/** What follows from a look for a proof: the next state of the claim, and what everyone concerned is told. */
export function claimChanges({ transaction, sources, accounts, now }: DomainDeps) {
  function stateAfter(domain: Domain, look: ProofLook, contested: boolean): Domain {
    if (look.kind === "found") return proofSeen(domain, { now: now(), contested });
    return look.kind === "missing" ? proofMissing(domain, now()) : proofUnreachable(domain, now());
  }

  /** A claim takes effect: its sources are asked, and its people and administrators told. */
  async function begin(
    { domains, findings, sources: states }: DomainStore,
    { name, accountId, catchAll }: Domain,
    others: Domain[],
  ) {
    // What people were told of an earlier holder, and said to them, does not hold for another one.
    const all = await domains.listByName(name);
    if (others.length === 0 && all.some((one) => one.accountId !== accountId && one.provenAt))
      await findings.forget(name);
    // It may have ended before, or not have been in effect when its holder said so.
    if (catchAll && !others.some((other) => other.catchAll)) {
      await findings.setUntoldKind(name, "alias");
      await findings.summarise(name);
    }
    await states.addMissing(name, sources.names(), now());
    await domains.wake(name, now());
  }

  /** Stores the next state of a claim, and tells its holder and the others. False when it changed meanwhile. */
  async function settle(
    store: DomainStore,
    { before, next }: { before: Domain; next: Domain },
    people: Map<string, Account>,
  ): Promise<boolean> {
    const { domains, events } = store;
    if (!(await domains.save({ ...next, version: before.version + 1 }))) return false;
    const others = (await domains.listByName(before.name)).filter((one) => isHeld(one) && one.id !== before.id);
    await events.publish(...changeMails({ before, next, at: now() }, others, people));
    if (isHeld(next) && !isHeld(before)) await begin(store, next, others);
    return true;
  }

  return {
    /** Stores what a look has found. Undefined when the claim changed or was removed meanwhile. */
    async conclude(domain: Domain, look: ProofLook): Promise<Domain | undefined> {
      const claims = await transaction(({ domains }) => domains.listByName(domain.name));
      const people = await claimantsOf(accounts, claims);
      return transaction(async (store) => {
        await store.domains.lockName(domain.name);
        const others = (await store.domains.listByName(domain.name)).filter(isHeld);
        const contested = others.some(({ accountId }) => accountId !== domain.accountId);
        const next = stateAfter(domain, look, contested);
        if (!(await settle(store, { before: domain, next }, people))) return undefined;
        if (next.state === "ended") await forgetUnheld(store, [domain], now());
        return next;
      });
    },
  };
}

export type ClaimChanges = ReturnType<typeof claimChanges>;
