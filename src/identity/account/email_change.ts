import { type ContactAddress, contactValue } from "../../shared/contacts.ts";
import type { FormerAddress } from "../../shared/former_address.ts";
import { maskedEmail } from "../../shared/masked_email.ts";
import { isAtAllowedDomain } from "../../shared/registration.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { askerMark, mailboxMark, takeStrangerMail } from "../../shared/stranger_mail.ts";
import type { Client, IdentityDeps, IdentityStore, User } from "../ports.ts";
import { countersOf } from "../sign_in/attempts.ts";
import { claimOf, type MailLimited, mailLimited } from "../sign_in/login_code.ts";
import { auditor, removeUnproven } from "./audit.ts";
import type { ChangeEmailInput } from "./profile_inputs.ts";
import type { EmailChange } from "./profile_ports.ts";

const HOUR_MS = 3_600_000;
const LINK_HOURS = 24;

type Refusal = "SESSION_EXPIRED" | "EMAIL_UNCHANGED" | "INVALID_INPUT" | "RATE_LIMITED";

/** Changing an account's email, which takes effect once the link sent to the new one is used. */
export function emailChange(deps: IdentityDeps) {
  const { transaction, drainFor, mac, cipher, now, newToken, hashToken, registration } = deps;
  const record = auditor(deps);

  /** Seconds to wait. The limit of the target address is shared by all accounts, so that no mailbox is flooded. */
  async function countMail({ attempts }: IdentityStore, accountId: string, email: string): Promise<number> {
    const { count } = countersOf(attempts, mac, now());
    return (await count("emailChangeAccount", accountId)) || (await count("emailChangeTarget", email));
  }

  /** Refused for an account at an allowed domain only: one that the operator admitted from elsewhere stays free to move. */
  function leavesAllowedDomains(from: string, to: string): boolean {
    return isAtAllowedDomain(registration, from) && !isAtAllowedDomain(registration, to);
  }

  async function sendLink(
    { emailChanges, events }: IdentityStore,
    user: User,
    { email, formerAddress }: Pick<EmailChange, "email" | "formerAddress">,
  ): Promise<void> {
    const token = newToken();
    const expiresAt = new Date(now().getTime() + LINK_HOURS * HOUR_MS);
    await emailChanges.save({
      accountId: user.id,
      email,
      formerAddress,
      tokenHash: hashToken(token),
      createdAt: now(),
      expiresAt,
    });
    await events.publish({
      type: "mail.requested",
      to: email,
      language: user.language,
      template: "email_change",
      params: { hours: String(LINK_HOURS), firstName: user.firstName, account: maskedEmail(user.email) },
      sealed: cipher.encrypt(JSON.stringify({ token })),
      accountId: user.id,
      notAfter: expiresAt.toISOString(),
    });
  }

  /** False when another account has the email. An unproven account is removed, as on registration. */
  async function takeEmail(store: IdentityStore, { accountId, email }: EmailChange): Promise<boolean> {
    const holder = await store.users.findByEmail(email);
    if (holder && holder.id !== accountId) await removeUnproven(store, holder.id);
    return store.users.replaceEmail(accountId, email);
  }

  /** Voids what was sent to the former mailbox and notifies it of the change. */
  async function leaveMailbox(
    store: IdentityStore,
    user: User,
    { to, formerAddress }: { to: string; formerAddress: FormerAddress },
  ): Promise<void> {
    const { users, loginCodes, resetTokens, events } = store;
    await loginCodes.removeByAccount(user.id);
    await resetTokens.remove(user.id);
    const contacts = movedContacts(user, to);
    if (contacts) await users.saveDetails(user.id, { ...user, defaultContacts: contacts });
    await events.publish({ type: "identity.emailChanged", accountId: user.id, from: user.email, to, formerAddress });
    await events.publish({
      type: "mail.requested",
      to: user.email,
      language: user.language,
      template: "email_changed",
      params: { at: now().toISOString(), to: maskedEmail(to), formerAddress },
    });
  }

  return {
    /** Mails the link even if another account has that email: only the reader of its mail may learn that. */
    requestEmailChange(
      accountId: string,
      { email, formerAddress }: ChangeEmailInput,
      client: Client,
    ): Promise<Result<{ email: string }, Refusal | MailLimited>> {
      return transaction(async (store) => {
        const user = await store.users.find(accountId);
        if (!user) return fail("SESSION_EXPIRED");
        if (user.email === email) return fail("EMAIL_UNCHANGED", { fields: { email: "EMAIL_UNCHANGED" } });
        if (leavesAllowedDomains(user.email, email))
          return fail("INVALID_INPUT", { fields: { email: "REGISTRATION_DOMAIN" } });
        // Counters before the account: the lock order of signing in.
        const wait = await countMail(store, accountId, email);
        if (wait > 0) return fail("RATE_LIMITED", { retryAfter: wait });
        if (!(await store.users.findForUpdate(accountId))) return fail("SESSION_EXPIRED");
        const claim = { ...claimOf(mac, email, client.ip), asker: askerMark(mac, user.email) };
        const refusal = await takeStrangerMail(store.strangerMail, claim, now());
        if (refusal) return mailLimited(refusal, now());
        await sendLink(store, user, { email, formerAddress });
        await record(store, "email_change_requested", { accountId, client, detail: { email: maskedEmail(email) } });
        return ok({ email });
      });
    },

    /** Voids the pending link. */
    cancelEmailChange(accountId: string): Promise<Result<undefined, never>> {
      return transaction(async ({ emailChanges }) => {
        await emailChanges.remove(accountId);
        return ok();
      });
    },

    /** What the link would change and for which account, as it works without a session on any device. Changes nothing. */
    inspectEmailChange(
      token: string,
    ): Promise<Result<{ email: string; account: { name: string; email: string } }, "EMAIL_LINK_INVALID">> {
      return transaction(async ({ emailChanges, users }) => {
        const change = await emailChanges.findLiving(hashToken(token), now());
        const user = change && (await users.find(change.accountId));
        if (!user) return fail("EMAIL_LINK_INVALID");
        const account = { name: `${user.firstName} ${user.lastName}`, email: maskedEmail(user.email) };
        return ok({ email: change.email, account });
      });
    },

    /**
     * Makes the new email the account's. Full sessions stay: a thief who changes the email must not be able to log the owner
     * out. Does not sign in.
     */
    async confirmEmailChange(
      token: string,
      client: Client,
    ): Promise<Result<{ email: string }, "EMAIL_LINK_INVALID" | "EMAIL_TAKEN">> {
      const confirmed = await transaction(async (store) => {
        const change = await store.emailChanges.findLiving(hashToken(token), now());
        const user = change && (await store.users.findForUpdate(change.accountId));
        if (!user || !(await store.emailChanges.use(hashToken(token), now()))) return fail("EMAIL_LINK_INVALID");
        if (!(await takeEmail(store, change))) return fail("EMAIL_TAKEN");
        // The new mailbox turned out to be the requester's own.
        await store.strangerMail.removeClaimed(mailboxMark(mac, change.email));
        await leaveMailbox(store, user, { to: change.email, formerAddress: change.formerAddress });
        const detail = { from: maskedEmail(user.email), to: maskedEmail(change.email) };
        await record(store, "email_changed", { accountId: user.id, client, detail });
        return ok({ email: change.email, accountId: user.id });
      });
      if (!confirmed.ok) return confirmed;
      // Revoke what depended on the former address before the change is announced.
      await drainFor(confirmed.value.accountId);
      return ok({ email: confirmed.value.email });
    },
  };
}

/** Default contacts with the account's own mailbox are changed to the new one. */
function movedContacts({ email, defaultContacts }: User, to: string): User["defaultContacts"] | undefined {
  const isAt = (mailbox: string, { channel, value }: ContactAddress) =>
    channel === "email" && contactValue(channel, value) === mailbox;
  if (!defaultContacts.some((contact) => isAt(email, contact))) return undefined;
  const others = defaultContacts.filter((contact) => !isAt(email, contact) && !isAt(to, contact));
  return [{ channel: "email", value: to }, ...others];
}
