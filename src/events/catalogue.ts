import type { ConsentKind, ConsentScope } from "../shared/consent.ts";
import type { ContactAddress } from "../shared/contacts.ts";
import type { FormerAddress } from "../shared/former_address.ts";
import type { Language } from "../shared/language.ts";
import type { StaffActed } from "../shared/staff.ts";

export type SuspensionReason = "paused" | "plan";
type Watching = { associationId: string; accountId: string; address: string };

/** Everything that modules tell each other: past tense, `module.whatHappened`. Subscribers are idempotent. */
export type Event =
  | { type: "identity.registered"; accountId: string; email: string; language: Language }
  /**
   * `email`, normalised, only when the account had proven it; who was allowed to watch that address may go on only with
   * `keepGrants`.
   */
  | { type: "identity.deleted"; accountId: string; email?: string; keepGrants?: boolean }
  /**
   * The account is reached at another email, which its owner has proven. `formerAddress`: whether the owner of the former
   * one is asked if the account may go on watching it, or the account stops.
   */
  | { type: "identity.emailChanged"; accountId: string; from: string; to: string; formerAddress: FormerAddress }
  /** Somebody has forgotten a password; whether there is such an account is found out later. `requestedAt` is ISO 8601. */
  | { type: "identity.resetRequested"; email: string; requestedAt: string; from?: Origin }
  /** The owner of an address is to be asked; the association waits. */
  | {
      type: "tracking.consentRequested";
      associationId: string;
      accountId: string;
      address: string;
      kind: ConsentKind;
      language: Language;
    }
  /**
   * The account gave up waiting, or stopped watching: the owner's answer means nothing any more. `proven`: the account has
   * proven the address and needs no answer.
   */
  | ({ type: "tracking.consentDropped"; proven?: boolean } & Watching)
  | ({ type: "tracking.monitoringStarted"; scope: ConsentScope } & Watching)
  /** The owner wants the account to see more, or less. Carries the whole state. */
  | ({ type: "tracking.scopeChanged"; scope: ConsentScope } & Watching)
  /** The owner agreed, or changed what may be seen; an older `version` than the one seen is ignored. */
  | {
      type: "invitations.granted";
      invitationId: string;
      associationId: string;
      accountId: string;
      address: string;
      scope: ConsentScope;
      version: number;
    }
  /** No consent, or no longer. */
  | {
      type: "invitations.ended";
      invitationId: string;
      associationId: string;
      accountId: string;
      address: string;
      how: "declined" | "expired" | "withdrawn" | "cancelled";
    }
  /** The proven owner of an address ends what another account watches without having asked. */
  | ({ type: "invitations.ownershipRefused" } & Watching)
  | ({ type: "tracking.monitoringStopped" } & Watching)
  /** Nothing is checked for now (by the account itself, or plan over or beyond its cap); what is known stays. */
  | ({ type: "tracking.monitoringSuspended"; reason: SuspensionReason } & Watching)
  | ({ type: "tracking.monitoringResumed"; reason: SuspensionReason } & Watching)
  | {
      type: "tracking.contactsChanged";
      associationId: string;
      accountId: string;
      language: Language;
      contacts: ContactAddress[];
    }
  /** The first check of an association is done: one report of all `alertIds`, which may be none. */
  | { type: "breaches.baselineReady"; associationId: string; accountId: string; alertIds: string[] }
  /** New alerts of any number of associations; at most 500 in one event. */
  | { type: "breaches.alertsRaised"; alerts: { alertId: string; associationId: string; accountId: string }[] }
  /** A breach became worse than it was when these alerts were told; they are pending. At most 500 in one event. */
  | {
      type: "breaches.alertsWorsened";
      breachName: string;
      changeId: string;
      alerts: { alertId: string; associationId: string; accountId: string }[];
    }
  /** A made-up alert is gone, and with it all that was sent about it. */
  | { type: "breaches.drillEnded"; accountId: string; associationId: string; alertId: string }
  /** Carries the whole state of each of these associations, at most 500; an older `version` than the one seen is ignored. */
  | { type: "breaches.openAlertsChanged"; counts: { associationId: string; open: number; version: number }[] }
  /** Carries the whole state; `cap` null means unlimited; ordered by `changedAt` (ISO 8601). */
  | { type: "billing.subscriptionChanged"; accountId: string; active: boolean; cap: number | null; changedAt: string }
  /** Somebody of the staff did something; the audit log keeps it. */
  | ({ type: "staff.acted" } & StaffActed)
  | MailRequested;

/** Where a request came from, for the account's owner to recognise. */
export type Origin = { ipPrefix: string; device: { browser?: string; system?: string } };

/** A mail of one module to one person. Secrets travel only in `sealed` (see `Seal`) and are wiped when sent. */
export type MailRequested = {
  type: "mail.requested";
  to: string;
  language: Language;
  template:
    | "login_code"
    | "password_reset"
    | "password_changed"
    | "new_sign_in"
    | "code_locked"
    | "email_change"
    | "email_changed"
    | "security_changed"
    | "account_deleted"
    | "account_locked"
    | "account_unlocked"
    | "account_removed"
    | "invitation"
    | "invitation_reminder"
    | "address_confirmation"
    | "consent_answered"
    | "consent_given"
    | "watching_stopped"
    | "watching_resumed"
    | "trial_ending"
    | "trial_ended"
    | "plan_started"
    | "plan_changed"
    | "plan_ending"
    | "plan_continues"
    | "plan_ended"
    | "payment_failed"
    | "payment_reminder"
    | "payment_received"
    | "plan_suspended"
    | "plan_granted"
    | "plan_grant_ending"
    | "plan_grant_ended"
    | "checks_stale"
    | "checks_resumed"
    | "ticket_filed"
    | "ticket_followed_up"
    | "ticket_received"
    | "ticket_answered";
  params: Record<string, string>;
  /** JSON of further params, encrypted. */
  sealed?: string;
  accountId?: string;
  /** ISO 8601; past it the mail is pointless and is not sent. */
  notAfter?: string;
};

export type EventOf<Type extends Event["type"]> = Extract<Event, { type: Type }>;

/**
 * Events with the same key are handed out one after the other, in the order of publishing: a retried "started" must not
 * arrive after "stopped". Those without a key carry nothing that a later one takes back.
 */
export function orderKeyOf(event: Event): string | undefined {
  if (event.type === "mail.requested") return undefined;
  if ("associationId" in event) return event.associationId;
  return "accountId" in event ? event.accountId : undefined;
}

/** Part of every store: what is published commits or vanishes with the transaction that published it. */
export type EventPublisher = { publish(...events: Event[]): Promise<void> };

export type Subscriber<E> = (event: E) => Promise<unknown>;
/** Per event type, the subscribers by the name of their module. */
export type Subscriptions = { [Type in Event["type"]]?: Record<string, Subscriber<EventOf<Type>>> };
