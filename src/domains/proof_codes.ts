import { fail, ok, type Result } from "../shared/result.ts";
import { askerMark, mailboxMark, secondsUntilFree, takeStrangerMail } from "../shared/stranger_mail.ts";
import type { ClaimChanges } from "./claim_changes.ts";
import { CODE_TRIES, codeSent, type Domain } from "./domain.ts";
import { findLocked } from "./locked.ts";
import { codeMail, holderMail } from "./mails.ts";
import type { DomainDeps } from "./ports.ts";

/** The proof by a code that is mailed to one of the domain's own mailboxes. */
export function proofCodes(
  { transaction, accounts, newCode, mac, cipher, now }: DomainDeps,
  { conclude }: ClaimChanges,
) {
  const codeMark = (id: string, code: string) => mac("domain_code", `${id}:${code}`);

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
        await events.publish(holderMail("domain_proof_missing", next, { account, at: now(), until: next.dueAt }));
      return ok();
    });
  }

  /** Counts a try. The claim when the code is right. */
  function tryCode(accountId: string, id: string, code: string): Promise<Domain | "NOT_FOUND" | "CODE_INVALID"> {
    return transaction(async (store) => {
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
  }

  return {
    mailCode,

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
      const tried = await tryCode(accountId, id, code);
      if (typeof tried === "string") return fail(tried);
      const next = await conclude(tried, { kind: "found" });
      return next ? ok({ state: next.state }) : fail("CODE_INVALID");
    },
  };
}

export type ProofCodes = ReturnType<typeof proofCodes>;
