import type { EventOf } from "../events/catalogue.ts";
import { normaliseDomain } from "../shared/email_address.ts";
import { fail, ok, type Result } from "../shared/result.ts";
import { type Shown, shown } from "../shared/shown.ts";
import { type Coverage, coverageOf, coveredIds } from "./coverage.ts";
import { type Domain, type DomainSettings, isHeld, newDomain, proofValue, withProof } from "./domain.ts";
import { findLocked } from "./locked.ts";
import type { Allowance, DomainDeps } from "./ports.ts";
import { isPublicProvider } from "./public_providers.ts";
import { forgetUnheld } from "./unheld.ts";

/** Claims of one account, proven or not, even where the plan has no limit. */
export const MOST_DOMAINS = 50;

export type ProofChoice = Pick<Domain, "proof"> & { mailbox?: Domain["mailbox"] };

type ShownFacts =
  | ("id" | "name" | "proof" | "state" | "mailbox")
  | ("createdAt" | "seenAt" | "provenAt" | "effectiveAt" | "failingSince");
/** A claim as shown to its account. `effectiveAt`: while it waits for another holder's objection. */
export type DomainView = DomainSettings &
  Shown<Pick<Domain, ShownFacts>> & {
    /** What to publish; null for a proof by mail. */
    record: { value: string; token: string } | null;
    /** A code was mailed and can still be typed. */
    codeSent: boolean;
    coverage: Coverage;
  };

/** The domains of an account. */
export function claims({ transaction, allowance, accounts, newId, newToken, now }: DomainDeps) {
  function viewOf(domain: Domain, coverage: Coverage): DomainView {
    const { id, name, proof, state, mailbox, token, codeHash, codeExpiresAt } = domain;
    const { catchAll, roleSensitive, digest, tellPeople, language } = domain;
    const { createdAt, seenAt, provenAt, effectiveAt, failingSince } = domain;
    return {
      ...shown({ id, name, proof, state, mailbox, catchAll, roleSensitive, digest, tellPeople, language }),
      ...shown({ createdAt, seenAt, provenAt, effectiveAt, failingSince }),
      record: domain.proof === "mail" ? null : { value: proofValue(token), token },
      codeSent: codeHash !== undefined && codeExpiresAt !== undefined && codeExpiresAt > now(),
      coverage,
    };
  }

  const tokenOf = () => newToken().slice(0, 32);

  return {
    async listDomains(accountId: string): Promise<Result<{ items: DomainView[]; allowance: Allowance }>> {
      const allowed = await allowance.of(accountId);
      const all = await transaction(({ domains }) => domains.list(accountId));
      const covered = coveredIds(all, allowed);
      return ok({ items: all.map((domain) => viewOf(domain, coverageOf(domain, covered))), allowance: allowed });
    },

    async showDomain(accountId: string, id: string): Promise<Result<DomainView, "NOT_FOUND">> {
      const allowed = await allowance.of(accountId);
      const all = await transaction(({ domains }) => domains.list(accountId));
      const domain = all.find((one) => one.id === id);
      return domain ? ok(viewOf(domain, coverageOf(domain, coveredIds(all, allowed)))) : fail("NOT_FOUND");
    },

    /** Claims a domain, to be proven. */
    async addDomain(
      accountId: string,
      { name: typed, proof, mailbox }: ProofChoice & { name: string },
    ): Promise<
      Result<
        { id: string },
        | "DOMAIN_INVALID"
        | "DOMAIN_PUBLIC"
        | "DOMAIN_ALREADY_ADDED"
        | "USER_INACTIVE"
        | "USER_INSUFFICIENT"
        | "NOT_FOUND"
      >
    > {
      const name = normaliseDomain(typed);
      if (name === undefined) return fail("DOMAIN_INVALID", { fields: { name: "DOMAIN_INVALID" } });
      if (isPublicProvider(name)) return fail("DOMAIN_PUBLIC", { fields: { name: "DOMAIN_PUBLIC" } });
      const allowed = await allowance.of(accountId);
      const account = await accounts.of(accountId);
      if (!account) return fail("NOT_FOUND");
      if (!allowed.active) return fail("USER_INACTIVE");
      return transaction(async ({ domains }) => {
        const count = await domains.count(accountId);
        const { language } = account;
        const first = { id: newId(), accountId, name, proof, mailbox, token: tokenOf(), language };
        if ((await domains.list(accountId)).some((one) => one.name === name))
          return fail("DOMAIN_ALREADY_ADDED", { fields: { name: "DOMAIN_ALREADY_ADDED" } });
        if (count >= Math.min(allowed.domains ?? MOST_DOMAINS, MOST_DOMAINS)) return fail("USER_INSUFFICIENT");
        await domains.add(newDomain(first, now()));
        return ok({ id: first.id });
      });
    },

    /** Changes the proof or starts it again. A claim in effect stays valid until the new proof is due. */
    changeProof(
      accountId: string,
      id: string,
      { proof, mailbox }: ProofChoice,
    ): Promise<Result<undefined, "NOT_FOUND" | "DOMAIN_PROVEN">> {
      return transaction(async (store) => {
        const domain = await findLocked(store, accountId, id);
        if (!domain) return fail("NOT_FOUND");
        if (domain.state === "proven" || domain.state === "waiting") return fail("DOMAIN_PROVEN");
        const next = withProof(domain, { proof, mailbox, token: tokenOf() }, now());
        const { state, failingSince, dueAt } = domain;
        // A claim that is failing ends when it would have ended.
        const kept = state === "failing" ? { state, failingSince, dueAt } : {};
        await store.domains.save({ ...next, ...kept, version: domain.version + 1 });
        return ok();
      });
    },

    changeDomain(accountId: string, id: string, settings: DomainSettings): Promise<Result<undefined, "NOT_FOUND">> {
      return transaction(async (store) => {
        const { domains, findings } = store;
        const domain = await findLocked(store, accountId, id);
        if (!domain) return fail("NOT_FOUND");
        await domains.save({ ...domain, ...settings, version: domain.version + 1 });
        if (!isHeld(domain)) return ok();
        await domains.wake(domain.name, now());
        const others = (await domains.listByName(domain.name)).filter((one) => isHeld(one) && one.id !== id);
        if (!others.some(({ catchAll }) => catchAll) && domain.catchAll !== settings.catchAll) {
          await findings.setUntoldKind(domain.name, settings.catchAll ? "alias" : "person");
          await findings.summarise(domain.name);
        }
        return ok();
      });
    },

    removeDomain(accountId: string, id: string): Promise<Result<undefined, "NOT_FOUND">> {
      return transaction(async (store) => {
        await findLocked(store, accountId, id);
        const removed = await store.domains.remove(accountId, id);
        if (!removed) return fail("NOT_FOUND");
        await forgetUnheld(store, [removed], now());
        return ok();
      });
    },

    /** Removes the account's claims and looks, and the findings of domains that nobody else holds. */
    async onDeleted({ accountId }: EventOf<"identity.deleted">): Promise<void> {
      await transaction(async (store) => {
        const names = (await store.domains.list(accountId)).map(({ name }) => name).toSorted();
        for (const name of names) await store.domains.lockName(name);
        const removed = await store.domains.removeByAccount(accountId);
        await store.looks.removeByAccount(accountId);
        await forgetUnheld(store, removed, now());
      });
    },
  };
}
