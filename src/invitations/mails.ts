import type { MailRequested } from "../events/catalogue.ts";
import type { Language } from "../shared/language.ts";
import { maskedEmail } from "../shared/masked_email.ts";
import type { Mac, Seal } from "../shared/secrets.ts";
import type { ConsentRecord, Invitation } from "./invitation.ts";
import type { Inviter } from "./ports.ts";

const DAY_MS = 24 * 3_600_000;

/** As people call them, as typed; nobody once the account is gone. */
export function nameOf(inviter: Inviter | undefined): string {
  return inviter ? `${inviter.firstName} ${inviter.lastName}` : "";
}

/** Works until the consent ends and needs no row: what it permits is to see less, or nothing. */
export function manageToken(mac: Mac, invitationId: string): string {
  return `v1.${invitationId}.${mac("consent", invitationId)}`;
}

/** As the owner of an address sees who asks. */
export function inviterView(inviter: Inviter): { name: string; email: string } {
  return { name: nameOf(inviter), email: maskedEmail(inviter.email) };
}

/** The question to the owner, or the reminder of it. `invitation` is what it became by this mail. */
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

/** To the inviter, if this is for them to know. */
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
 * To the owner who has just agreed by a mailed link: the way to change their mind. It answers an act of this very mailbox, once
 * for each consent, so it is none of the mails that nobody has asked for.
 */
export function givenMail(
  { id, address, scope }: Invitation,
  { inviter, language }: { inviter: Inviter | undefined; language: Language },
  { mac, seal }: { mac: Mac; seal: Seal },
): MailRequested {
  return {
    ...{ type: "mail.requested", to: address, language, template: "consent_given" },
    params: { inviterName: nameOf(inviter), address, details: scope?.details ? "yes" : "no" },
    sealed: seal.close(JSON.stringify({ token: manageToken(mac, id) })),
  };
}

type Change = {
  template: "watching_stopped" | "watching_resumed";
  /** `plan`: the inviter's plan does not cover the address; `stopped`: for good. */
  reason: "plan" | "stopped";
  inviter: Inviter | undefined;
  at: Date;
};

/** To the owner who agreed. The link leads to what was agreed to, as long as there is something to change. */
export function watchingMail(
  { id, address, language }: Invitation,
  { template, reason, inviter, at }: Change,
  { mac, seal }: { mac: Mac; seal: Seal },
): MailRequested {
  return {
    type: "mail.requested",
    to: address,
    language,
    template,
    params: { inviterName: nameOf(inviter), address, reason, at: at.toISOString() },
    ...(reason === "plan" && { sealed: seal.close(JSON.stringify({ token: manageToken(mac, id) })) }),
  };
}
