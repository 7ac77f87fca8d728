import type { ConsentKind, ConsentScope } from "../shared/consent.ts";
import type { Language } from "../shared/language.ts";

const DAY_MS = 24 * 3_600_000;
/** How long a link can be answered, from the mail that carries it. */
export const VALID_MS = 7 * DAY_MS;
/** A new request after a no. */
export const AGAIN_AFTER_DECLINE_MS = 30 * DAY_MS;
/** Counted from the first mail. */
export const REMIND_AFTER_MS = [2 * DAY_MS, 6 * DAY_MS];

export const INVITATION_STATES = ["pending", "accepted", "declined", "cancelled", "withdrawn", "expired"] as const;
export type InvitationState = (typeof INVITATION_STATES)[number];

/** The consent of an address' owner, asked for and given: request, answer and grant are one thing over time. */
export type Invitation = {
  id: string;
  associationId: string;
  inviterId: string;
  /** Normalised. */
  address: string;
  kind: ConsentKind;
  /** The language the owner is written to in. */
  language: Language;
  state: InvitationState;
  /** What was agreed to; undefined before an answer. */
  scope: ConsentScope | undefined;
  /** Of the link that answers; undefined before the first mail and after the end. */
  tokenHash: string | undefined;
  createdAt: Date;
  /** Of the first mail; undefined while it waits for its turn, or because the owner blocks the inviter. */
  sentAt: Date | undefined;
  /** How many reminders went out. */
  reminders: number;
  /** When the next mail is due, the first or a reminder; undefined for none. */
  nextMailAt: Date | undefined;
  expiresAt: Date;
  answeredAt: Date | undefined;
  endedAt: Date | undefined;
  /** Grows with every change; a change names the version it saw. */
  version: number;
};

/** One line of the record of consent that both sides can read. Never changed. */
export type ConsentRecord = {
  id: string;
  invitationId: string;
  at: Date;
  act: "asked" | "reminded" | "accepted" | "declined" | "scope_changed" | "cancelled" | "withdrawn" | "expired";
  by: "owner" | "inviter" | "system";
  scope: ConsentScope | undefined;
  language: Language;
  /** Of the words that were agreed to (`WORDING_VERSION`). */
  wording: string;
};

/** What a use case may do with an invitation: its next state, or undefined when that is too late. */
export type Rule = (invitation: Invitation, now: Date) => Invitation | undefined;

export type ConsentRequest = Pick<Invitation, "id" | "associationId" | "inviterId" | "address" | "kind" | "language">;

export function newInvitation(request: ConsentRequest, now: Date): Invitation {
  return {
    ...request,
    ...{ state: "pending", scope: undefined, tokenHash: undefined, createdAt: now, sentAt: undefined, reminders: 0 },
    ...{ nextMailAt: now, expiresAt: after(now, VALID_MS), answeredAt: undefined, endedAt: undefined, version: 1 },
  };
}

/** Waits for an answer. One whose first mail waits for its turn cannot expire. */
export function isOpen({ state, sentAt, expiresAt }: Invitation, now: Date): boolean {
  return state === "pending" && (sentAt === undefined || now < expiresAt);
}

/** The address is watched, and its owner agreed: whatever the question was, this is to be seen, told of and ended alike. */
export function isGranted({ state }: Invitation): boolean {
  return state === "accepted";
}

/** When it expires; before the first mail, if that left now. */
export function expiryOf({ sentAt, expiresAt }: Invitation, now: Date): Date {
  return sentAt === undefined ? after(now, VALID_MS) : expiresAt;
}

/** The first mail, or a reminder, leaves with the token of this hash. */
export function mailed(invitation: Invitation, tokenHash: string | undefined, now: Date): Invitation {
  const { kind, sentAt = now } = invitation;
  const isFirst = invitation.sentAt === undefined;
  const reminders = isFirst ? 0 : invitation.reminders + 1;
  // Who confirms a mailbox of their own asked for it themselves.
  const plan = kind === "ownership" ? [] : REMIND_AFTER_MS.slice(reminders);
  const nextMailAt = plan.map((ms) => after(sentAt, ms)).find((at) => at > now);
  const expiresAt = isFirst ? after(now, VALID_MS) : invitation.expiresAt;
  return changed(invitation, { tokenHash, sentAt, reminders, nextMailAt, expiresAt });
}

/** The mailbox has had its share of mails until `until`. */
export function postponed(invitation: Invitation, until: Date): Invitation {
  return changed(invitation, { nextMailAt: until });
}

/** The link stays good: from now on it leads to what was agreed to. */
export function accepted(scope: ConsentScope): Rule {
  return (invitation, now) => {
    if (!isOpen(invitation, now)) return undefined;
    return changed(invitation, { state: "accepted", scope, nextMailAt: undefined, answeredAt: now });
  };
}

/** The same once more changes nothing. */
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

/** The inviter takes the question back. */
export const cancelled: Rule = (invitation, now) =>
  invitation.state === "pending" ? ended(invitation, "cancelled", now) : undefined;

/** The inviter neither waits nor watches any more. */
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
