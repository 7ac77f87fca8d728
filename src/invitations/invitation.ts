import type { ConsentKind, ConsentScope } from "../shared/consent.ts";
import type { Language } from "../shared/language.ts";

const DAY_MS = 24 * 3_600_000;
/** How long a link is valid, counted from its mail. */
export const VALID_MS = 7 * DAY_MS;
/** How long after a refusal the inviter may ask again. */
export const AGAIN_AFTER_DECLINE_MS = 30 * DAY_MS;
/** Counted from the first mail. */
export const REMIND_AFTER_MS = [2 * DAY_MS, 6 * DAY_MS];

export const INVITATION_STATES = ["pending", "accepted", "declined", "cancelled", "withdrawn", "expired"] as const;
export type InvitationState = (typeof INVITATION_STATES)[number];

/** The consent of an address's owner over time: request, answer and grant. */
export type Invitation = {
  id: string;
  associationId: string;
  inviterId: string;
  /** Normalised. */
  address: string;
  kind: ConsentKind;
  /** The language of mails to the owner. */
  language: Language;
  state: InvitationState;
  /** What the owner agreed to; undefined before an answer. */
  scope: ConsentScope | undefined;
  /** Hash of the answer link's token; undefined before the first mail and after the end. */
  tokenHash: string | undefined;
  createdAt: Date;
  /** When the first mail was sent; undefined while it is queued, or because the owner has blocked the inviter. */
  sentAt: Date | undefined;
  /** How many reminders were sent. */
  reminders: number;
  /** When the next mail is due, the first or a reminder; undefined for none. */
  nextMailAt: Date | undefined;
  expiresAt: Date;
  answeredAt: Date | undefined;
  endedAt: Date | undefined;
  /** Optimistic lock: incremented by every change. */
  version: number;
};

/** An entry of the consent record, which both sides can read; immutable. */
export type ConsentRecord = {
  id: string;
  invitationId: string;
  at: Date;
  act: "asked" | "reminded" | "accepted" | "declined" | "scope_changed" | "cancelled" | "withdrawn" | "expired";
  by: "owner" | "inviter" | "system";
  scope: ConsentScope | undefined;
  language: Language;
  /** Version of the consent text (`WORDING_VERSION`). */
  wording: string;
};

/** A state transition: the next invitation, or undefined when it is not allowed any more. */
export type Rule = (invitation: Invitation, now: Date) => Invitation | undefined;

export type ConsentRequest = Pick<Invitation, "id" | "associationId" | "inviterId" | "address" | "kind" | "language">;

export function newInvitation(request: ConsentRequest, now: Date): Invitation {
  return {
    ...request,
    state: "pending",
    scope: undefined,
    tokenHash: undefined,
    createdAt: now,
    sentAt: undefined,
    reminders: 0,
    nextMailAt: now,
    expiresAt: after(now, VALID_MS),
    answeredAt: undefined,
    endedAt: undefined,
    version: 1,
  };
}

/** Whether it awaits an answer. One whose first mail is queued cannot expire. */
export function isOpen({ state, sentAt, expiresAt }: Invitation, now: Date): boolean {
  return state === "pending" && (sentAt === undefined || now < expiresAt);
}

/** Whether the address is tracked with its owner's consent, whatever kind of request it was. */
export function isGranted({ state }: Invitation): boolean {
  return state === "accepted";
}

/** When it expires or, before the first mail, when it would expire if that were sent now. */
export function expiryOf({ sentAt, expiresAt }: Invitation, now: Date): Date {
  return sentAt === undefined ? after(now, VALID_MS) : expiresAt;
}

/** After a first mail or reminder with the token of this hash. */
export function mailed(invitation: Invitation, tokenHash: string | undefined, now: Date): Invitation {
  const { kind, sentAt = now } = invitation;
  const isFirst = invitation.sentAt === undefined;
  const reminders = isFirst ? 0 : invitation.reminders + 1;
  // No reminders for confirming one's own mailbox, as the owner has asked for the mail.
  const plan = kind === "ownership" ? [] : REMIND_AFTER_MS.slice(reminders);
  const nextMailAt = plan.map((ms) => after(sentAt, ms)).find((at) => at > now);
  const expiresAt = isFirst ? after(now, VALID_MS) : invitation.expiresAt;
  return changed(invitation, { tokenHash, sentAt, reminders, nextMailAt, expiresAt });
}

/** Postpones the mail, as the mailbox's limit is reached until `until`. */
export function postponed(invitation: Invitation, until: Date): Invitation {
  return changed(invitation, { nextMailAt: until });
}

/** The link stays valid: from now on it leads to the consent. */
export function accepted(scope: ConsentScope): Rule {
  return (invitation, now) => {
    if (!isOpen(invitation, now)) return undefined;
    return changed(invitation, { state: "accepted", scope, nextMailAt: undefined, answeredAt: now });
  };
}

/** Idempotent. */
export function rescoped(scope: ConsentScope): Rule {
  return (invitation) => {
    const { state, scope: former } = invitation;
    if (state !== "accepted") return undefined;
    const isSame = former?.details === scope.details && former.sensitive === scope.sensitive;
    return isSame ? invitation : changed(invitation, { scope });
  };
}

export const declined: Rule = (invitation, now) =>
  isOpen(invitation, now) ? { ...ended(invitation, "declined", now), answeredAt: now } : undefined;

export const expired: Rule = (invitation, now) =>
  invitation.state === "pending" && !isOpen(invitation, now) ? ended(invitation, "expired", now) : undefined;

export const withdrawn: Rule = (invitation, now) =>
  invitation.state === "accepted" ? ended(invitation, "withdrawn", now) : undefined;

/** Withdrawn by the inviter. */
export const cancelled: Rule = (invitation, now) =>
  invitation.state === "pending" ? ended(invitation, "cancelled", now) : undefined;

/** The inviter neither waits for an answer nor tracks the address any more. */
export const dropped: Rule = (invitation, now) =>
  invitation.state === "pending" || invitation.state === "accepted" ? ended(invitation, "cancelled", now) : undefined;

function ended(invitation: Invitation, state: InvitationState, now: Date): Invitation {
  return changed(invitation, { state, tokenHash: undefined, nextMailAt: undefined, endedAt: now });
}

function changed(invitation: Invitation, more: Partial<Invitation>): Invitation {
  return { ...invitation, ...more, version: invitation.version + 1 };
}

function after(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}
