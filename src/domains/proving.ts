import { fail, ok, type Result } from "../shared/result.ts";
import { askerMark, mailboxMark, secondsUntilFree, takeStrangerMail } from "../shared/stranger_mail.ts";
import { holdersIn } from "./coverage.ts";
import {
  CODE_TRIES,
  codeSent,
  type Domain,
  isHeld,
  type Proof,
  proofMissing,
  proofSeen,
  proofUnreachable,
  proofValue,
} from "./domain.ts";
import { findLocked } from "./locked.ts";
import { codeMail, holderMail } from "./mails.ts";
import type { Account, DomainDeps, DomainStore, ProofLook, VisibleProof } from "./ports.ts";

/** Between two looks that the administrator asks for. */
const LOOK_EVERY_MS = 10_000;
const BATCH = 50;

export type CheckAnswer = { state: Domain["state"]; found: boolean; reason: string | null };

/** Looks for proofs, and tells everyone concerned what follows. */
export function proving(deps: DomainDeps) {
  const { transaction, proofs, sources, accounts, newCode, mac, cipher, now, report } = deps;

  /** Stores the next state of a claim, and tells its holder and the others. False when it changed meanwhile. */
  async function settle(
    store: DomainStore,
    before: Domain,
    next: Domain,
    people: Map<string, Account>,
  ): Promise<boolean> {
    const { domains, events } = store;
    if (!(await domains.save({ ...next, version: before.version + 1 }))) return false;
    const own = people.get(before.accountId);
    const others = holdersIn(await domains.listByName(before.name)).filter(({ id }) => id !== before.id);
    const mails = [];
    if (next.state === "waiting" && before.state !== "waiting")
      for (const other of others) {
        const account = people.get(other.accountId);
        if (account)
          mails.push(holderMail("domain_contested", other, { account, until: next.effectiveAt, other: own }));
      }
    if (next.state === "proven" && !isHeld(before))
      for (const other of others) {
        const account = people.get(other.accountId);
        if (account) mails.push(holderMail("domain_shared", other, { account, other: own }));
        if (own) mails.push(holderMail("domain_shared", next, { account: own, other: account }));
      }
    if (own && next.state === "failing" && before.state === "proven")
      mails.push(holderMail("domain_proof_missing", next, { account: own, until: next.dueAt }));
    if (own && next.state === "ended" && before.state !== "ended")
      mails.push(holderMail("domain_ended", next, { account: own }));
    await events.publish(...mails);
    if (isHeld(next) && !isHeld(before)) {
      // What people were told of an earlier holder, and said to them, does not hold for another one.
      const all = await domains.listByName(next.name);
      if (others.length === 0 && all.some(({ accountId, provenAt }) => accountId !== next.accountId && provenAt))
        await store.findings.forget(next.name);
      await store.sources.addMissing(next.name, sources.names(), now());
      await domains.wake(next.name, now());
    }
    return true;
  }

  /** The accounts of all who claim the domain, read before the transaction. */
  async function peopleOf(name: string): Promise<Map<string, Account>> {
    const all = await transaction(({ domains }) => domains.listByName(name));
    const found = new Map<string, Account>();
    for (const { accountId } of all) {
      const account = await accounts.of(accountId);
      if (account) found.set(accountId, account);
    }
    return found;
  }

  function stateAfter(domain: Domain, look: ProofLook, contested: boolean): Domain {
    if (look.kind === "found") return proofSeen(domain, { now: now(), contested });
    return look.kind === "missing" ? proofMissing(domain, now()) : proofUnreachable(domain, now());
  }

  /** Stores what a look has found. Undefined when the claim changed or was removed meanwhile. */
  async function conclude(domain: Domain, look: ProofLook): Promise<Domain | undefined> {
    const people = await peopleOf(domain.name);
    return transaction(async (store) => {
      await store.domains.lockName(domain.name);
      const others = holdersIn(await store.domains.listByName(domain.name));
      const contested = others.some(({ accountId }) => accountId !== domain.accountId);
      const next = stateAfter(domain, look, contested);
      if (!(await settle(store, domain, next, people))) return undefined;
      if (next.state === "ended" && !contested) {
        await store.findings.removeFindings(domain.name);
        await store.sources.remove(domain.name);
      }
      return next;
    });
  }

  const looked = (domain: Domain, proof: VisibleProof): Promise<ProofLook> =>
    proofs.look(domain.name, proof, proofValue(domain.token));

  /** Mails a code to the domain's own mailbox. */
  async function mailCode(
    domain: Domain,
  ): Promise<Result<undefined, "MAILBOX_LIMITED" | "MAIL_LIMITED" | "NOT_FOUND">> {
    const account = await accounts.of(domain.accountId);
    if (!account) return fail("NOT_FOUND");
    const code = newCode();
    return transaction(async ({ domains, strangerMail, events }) => {
      await domains.lockName(domain.name);
      const to = `${domain.mailbox}@${domain.name}`;
      const request = { mailbox: mailboxMark(mac, to), asker: askerMark(mac, account.email), network: account.network };
      const refusal = await takeStrangerMail(strangerMail, request, now());
      if (refusal)
        return fail(refusal.by === "mailbox" ? "MAILBOX_LIMITED" : "MAIL_LIMITED", {
          retryAfter: secondsUntilFree(refusal, now()),
        });
      const next = codeSent(domain, codeMark(domain.id, code), now());
      if (!(await domains.save({ ...next, version: domain.version + 1 }))) return fail("NOT_FOUND");
      await events.publish(codeMail(next, { account, code, until: next.codeExpiresAt ?? now(), cipher }));
      // A claim in effect now needs the code.
      if (domain.state === "proven")
        await events.publish(holderMail("domain_proof_missing", next, { account, until: next.dueAt }));
      return ok();
    });
  }

  const codeMark = (id: string, code: string) => mac("domain_code", `${id}:${code}`);

  async function lookOnce(domain: Domain): Promise<void> {
    const { proof } = domain;
    if (isVisible(proof)) {
      await conclude(domain, await looked(domain, proof));
      return;
    }
    // The code of an earlier mail was not typed in time.
    if (domain.state === "failing" || domain.codeHash !== undefined) await conclude(domain, { kind: "missing" });
    else if (domain.state !== "pending") {
      const sent = await mailCode(domain);
      if (!sent.ok) await conclude(domain, { kind: "unreachable", reason: sent.code });
    }
  }

  /** Counts a look that the administrator asks for; only one of several concurrent ones may begin. */
  function claimLook(
    accountId: string,
    id: string,
  ): Promise<Result<{ domain: Domain; proof: VisibleProof }, "NOT_FOUND" | "INVALID_INPUT" | "RATE_LIMITED">> {
    return transaction(async (store) => {
      const { domains } = store;
      const found = await findLocked(store, accountId, id);
      if (!found) return fail("NOT_FOUND");
      const { proof, lookedAt } = found;
      if (!isVisible(proof)) return fail("INVALID_INPUT");
      const waitMs = lookedAt ? lookedAt.getTime() + LOOK_EVERY_MS - now().getTime() : 0;
      const domain = { ...found, lookedAt: now(), version: found.version + 1 };
      if (waitMs > 0 || !(await domains.save(domain)))
        return fail("RATE_LIMITED", { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) });
      return ok({ domain, proof });
    });
  }

  return {
    /** Looks for the proof now, because the administrator asks. */
    async checkDomain(
      accountId: string,
      id: string,
    ): Promise<Result<CheckAnswer, "NOT_FOUND" | "INVALID_INPUT" | "RATE_LIMITED">> {
      const claimed = await claimLook(accountId, id);
      if (!claimed.ok) return claimed;
      const { domain, proof } = claimed.value;
      const look = await looked(domain, proof);
      // An administrator who looks too early loses nothing.
      const isHarmless = look.kind !== "found" && (isHeld(domain) || domain.state === "waiting");
      const next = isHarmless ? domain : ((await conclude(domain, look)) ?? domain);
      const reason = look.kind === "unreachable" ? look.reason : null;
      return ok({ state: next.state, found: look.kind === "found", reason });
    },

    /** Mails the code, or a new one. */
    async sendDomainCode(
      accountId: string,
      id: string,
    ): Promise<Result<undefined, "NOT_FOUND" | "INVALID_INPUT" | "MAILBOX_LIMITED" | "MAIL_LIMITED">> {
      const domain = await transaction(({ domains }) => domains.find(accountId, id));
      if (!domain) return fail("NOT_FOUND");
      // The proof has to be there when the wait is over: a code that was mailed before would outlast the mailbox.
      const isEarly = domain.effectiveAt !== undefined && now() < domain.effectiveAt;
      if (domain.proof !== "mail" || domain.state === "proven" || isEarly) return fail("INVALID_INPUT");
      return mailCode(domain);
    },

    /** The code that was mailed proves the domain. Each code allows five tries. */
    async enterDomainCode(
      accountId: string,
      id: string,
      code: string,
    ): Promise<Result<{ state: Domain["state"] }, "NOT_FOUND" | "CODE_INVALID">> {
      const tried = await transaction(async (store) => {
        const { domains } = store;
        const domain = await findLocked(store, accountId, id);
        if (!domain) return "NOT_FOUND";
        const { codeHash, codeExpiresAt, codeTries } = domain;
        const isOpen = codeHash !== undefined && codeExpiresAt !== undefined && codeExpiresAt > now();
        if (!isOpen || codeTries >= CODE_TRIES) return "CODE_INVALID";
        const counted = { ...domain, codeTries: codeTries + 1, version: domain.version + 1 };
        // A concurrent try has been counted first.
        if (!(await domains.save(counted))) return "CODE_INVALID";
        return codeHash === codeMark(id, code) ? counted : "CODE_INVALID";
      });
      if (typeof tried === "string") return fail(tried);
      const next = await conclude(tried, { kind: "found" });
      return next ? ok({ state: next.state }) : fail("CODE_INVALID");
    },

    /** The job: looks for the proofs that are due. Returns their number. */
    async lookForProofs(): Promise<number> {
      const due = await transaction(({ domains }) => domains.listDue(now(), BATCH));
      for (const domain of due)
        await lookOnce(domain).catch((error: unknown) => report(error, { job: "domain-proofs", domain: domain.id }));
      return due.length;
    },
  };
}

function isVisible(proof: Proof): proof is VisibleProof {
  return proof !== "mail";
}
