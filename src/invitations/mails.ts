import type { MailRequested } from "../events/catalogue.ts";
import type { Language } from "../shared/language.ts";
import { maskedEmail } from "../shared/masked_email.ts";
import type { Cipher, Mac } from "../shared/secrets.ts";
import type { ConsentRecord, Invitation } from "./invitation.ts";
import type { Inviter } from "./ports.ts";

const DAY_MS = 24 * 3_600_000;

/** The inviter's full name as typed; empty once the account is deleted. */
export function nameOf(inviter: Inviter | undefined): string {
  return inviter ? `${inviter.firstName} ${inviter.lastName}` : "";
}

/** Valid until the consent ends. Needs no row, as it can only restrict or withdraw the consent. */
export function manageToken(mac: Mac, invitationId: string): string {
  return `v1.${invitationId}.${mac("consent", invitationId)}`;
}

/** The inviter as shown to the owner of an address. */
export function inviterView(inviter: Inviter): { name: string; email: string } {
  return { name: nameOf(inviter), email: maskedEmail(inviter.email) };
}

/** The request to the owner, or a reminder. `invitation` is its state after this mail. */
export function questionMail(
  invitation: Invitation,
  { inviter, sealed, now }: { inviter: Inviter; sealed: string; now: Date },
): MailRequested {
  const { address, language, kind, reminders, expiresAt } = invitation;
  const mail = { type: "mail.requested" as const, to: address, language, sealed, notAfter: expiresAt.toISOString() };
  const name = nameOf(inviter);
  if (kind === "ownership")
    return {
      ...mail,
      template: "address_confirmation",
      params: { address, accountName: name, accountEmail: maskedEmail(inviter.email) },
    };
  const days = String(Math.ceil((expiresAt.getTime() - now.getTime()) / DAY_MS));
  const params = { inviterName: name, address, days };
  return reminders === 0
    ? { ...mail, template: "invitation", params }
    : { ...mail, template: "invitation_reminder", params: { ...params, reminder: String(reminders) } };
}

const ANSWERS: Partial<Record<ConsentRecord["act"], string>> = {
  accepted: "accepted",
  declined: "declined",
  withdrawn: "withdrawn",
  expired: "expired",
};

/** Notifies the inviter of an answer, if it is one that inviters learn of. */
export function answerMail(
  { act, at }: Pick<ConsentRecord, "act" | "at">,
  { address, inviterId, scope }: Invitation,
  inviter: Inviter | undefined,
): MailRequested | undefined {
  const answer = ANSWERS[act];
  if (!inviter || answer === undefined) return undefined;
  return {
    type: "mail.requested",
    to: inviter.email,
    language: inviter.language,
    template: "consent_answered",
    params: { answer, address, details: scope?.details ? "yes" : "no", at: at.toISOString() },
    accountId: inviterId,
  };
}

/**
 * Tells an owner who has just agreed through a mailed link how to change the consent. It responds to an action of this mailbox
 * and is sent once per consent, so it does not count as unsolicited mail.
 */
export function givenMail(
  { id, address, scope }: Invitation,
  { inviter, language }: { inviter: Inviter | undefined; language: Language },
  { mac, cipher }: { mac: Mac; cipher: Cipher },
): MailRequested {
  return {
    type: "mail.requested",
    to: address,
    language,
    template: "consent_given",
    params: { inviterName: nameOf(inviter), address, details: scope?.details ? "yes" : "no" },
    sealed: cipher.encrypt(JSON.stringify({ token: manageToken(mac, id) })),
  };
}

type Change = {
  template: "watching_stopped" | "watching_resumed";
  /** `plan`: the inviter's plan does not cover the address; `stopped`: ended for good. */
  reason: "plan" | "stopped";
  inviter: Inviter | undefined;
  at: Date;
};

/** To an owner who has agreed. The link leads to the consent, while there is something to change. */
export function watchingMail(
  { id, address, language }: Invitation,
  { template, reason, inviter, at }: Change,
  { mac, cipher }: { mac: Mac; cipher: Cipher },
): MailRequested {
  return {
    type: "mail.requested",
    to: address,
    language,
    template,
    params: { inviterName: nameOf(inviter), address, reason, at: at.toISOString() },
    ...(reason === "plan" && { sealed: cipher.encrypt(JSON.stringify({ token: manageToken(mac, id) })) }),
  };
}
