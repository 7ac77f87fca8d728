import type { ConsentKind, ConsentScope } from "../shared/consent.ts";
import type { ContactAddress } from "../shared/contacts.ts";
import type { FormerAddress } from "../shared/former_address.ts";
import type { Language } from "../shared/language.ts";
import type { StaffActed } from "../shared/staff.ts";

export type SuspensionReason = "paused" | "plan";
type Watching = { associationId: string; accountId: string; address: string };
/** `repeated`: it happened before a restore and is done again after it, so nobody is told a second time. */
type Repeatable = { repeated?: boolean };

/** All events between modules: past tense, `module.whatHappened`. Subscribers are idempotent. */
export type Event =
  | { type: "identity.registered"; accountId: string; email: string; language: Language }
  /**
   * `email`, normalised, only if the account had proven it; accounts with permission to track it keep that only with
   * `keepGrants`.
   */
  | ({ type: "identity.deleted"; accountId: string; email?: string; keepGrants?: boolean } & Repeatable)
  /**
   * The account has a new, proven email. `formerAddress`: whether the owner of the former address is asked for consent to its
   * tracking, or the tracking ends.
   */
  | { type: "identity.emailChanged"; accountId: string; from: string; to: string; formerAddress: FormerAddress }
  /** A password reset was requested; whether the account exists is checked later. `requestedAt` is ISO 8601. */
  | { type: "identity.resetRequested"; email: string; requestedAt: string; from?: Origin }
  /** Consent of an address's owner is needed; the association waits for it. */
  | {
      type: "tracking.consentRequested";
      associationId: string;
      accountId: string;
      address: string;
      kind: ConsentKind;
      language: Language;
    }
  /**
   * The account stopped waiting or tracking, so the owner's answer has no effect any more. `proven`: the account has proven the
   * address and needs no consent.
   */
  | ({ type: "tracking.consentDropped"; proven?: boolean } & Watching & Repeatable)
  | ({ type: "tracking.monitoringStarted"; scope: ConsentScope } & Watching)
  /** The owner changed what the account may see. Carries the whole state. */
  | ({ type: "tracking.scopeChanged"; scope: ConsentScope } & Watching)
  /** The owner consented or changed the scope; an older `version` than the one seen is ignored. */
  | {
      type: "invitations.granted";
      invitationId: string;
      associationId: string;
      accountId: string;
      address: string;
      scope: ConsentScope;
      version: number;
    }
  /** Consent was declined or withdrawn. */
  | ({
      type: "invitations.ended";
      invitationId: string;
      how: "declined" | "expired" | "withdrawn" | "cancelled";
    } & Watching &
      Repeatable)
  /** The proven owner of an address ends another account's tracking that had no consent. */
  | ({ type: "invitations.ownershipRefused" } & Watching)
  | ({ type: "tracking.monitoringStopped" } & Watching)
  /** A further address of the association's owner is checked with it; `address` is that one. */
  | ({ type: "tracking.aliasStarted"; aliasId: string } & Watching)
  | ({ type: "tracking.aliasStopped"; aliasId: string } & Watching)
  /** Checks are paused (by the account itself, or because the plan ended or its limit is exceeded); existing data stays. */
  | ({ type: "tracking.monitoringSuspended"; reason: SuspensionReason } & Watching & Repeatable)
  | ({ type: "tracking.monitoringResumed"; reason: SuspensionReason } & Watching & Repeatable)
  | {
      type: "tracking.contactsChanged";
      associationId: string;
      accountId: string;
      language: Language;
      contacts: ContactAddress[];
    }
  /** The first check of an association is done: one report of all `alertIds`, which may be empty. */
  | { type: "breaches.baselineReady"; associationId: string; accountId: string; alertIds: string[] }
  /**
   * New alerts of any number of associations; at most 500 in one event. `again`: the version of an alert that is news once more,
   * as its breach was found under another alias.
   */
  | {
      type: "breaches.alertsRaised";
      alerts: { alertId: string; associationId: string; accountId: string; again?: number }[];
    }
  /** A breach has become more severe since these alerts were sent; they are pending again. At most 500 in one event. */
  | {
      type: "breaches.alertsWorsened";
      breachName: string;
      changeId: string;
      alerts: { alertId: string; associationId: string; accountId: string }[];
    }
  /** A fire drill's alert was removed; everything sent about it is removed as well. */
  | { type: "breaches.drillEnded"; accountId: string; associationId: string; alertId: string }
  /** A company's deadline to answer a letter has passed; days as YYYY-MM-DD. */
  | {
      type: "breaches.letterDue";
      accountId: string;
      associationId: string;
      letterId: string;
      sentOn: string;
      dueOn: string;
    }
  /** New findings at a domain, of the addresses that its administrator may see; `at` (ISO 8601) names the message. */
  | {
      type: "domains.findingsRaised";
      domainId: string;
      accountId: string;
      domain: string;
      findings: number;
      addresses: number;
      at: string;
      drill: boolean;
    }
  /** Carries the whole state of each of these associations, at most 500; an older `version` than the one seen is ignored. */
  | { type: "breaches.openAlertsChanged"; counts: { associationId: string; open: number; version: number }[] }
  /** Carries the whole state; `cap` null means unlimited; ordered by `changedAt` (ISO 8601). */
  | { type: "billing.subscriptionChanged"; accountId: string; active: boolean; cap: number | null; changedAt: string }
  /** A member of the staff did something that the audit log records. */
  | ({ type: "staff.acted" } & StaffActed)
  | MailRequested;

/** Where a request came from, for the account's owner to recognise. */
export type Origin = { ipPrefix: string; device: { browser?: string; system?: string } };

/** A mail of one module to one person. Secrets are only in `sealed` (see `Cipher`) and are erased once it is sent. */
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
    | "account_factors_reset"
    | "account_reset_link"
    | "account_removed"
    | "invitation"
    | "invitation_reminder"
    | "address_confirmation"
    | "alias_confirmation"
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
    | "letter_due"
    | "domain_code"
    | "domain_contested"
    | "domain_shared"
    | "domain_proof_missing"
    | "domain_ended"
    | "domain_notice"
    | "domain_news"
    | "domain_findings"
    | "ticket_filed"
    | "ticket_followed_up"
    | "ticket_received"
    | "ticket_answered";
  params: Record<string, string>;
  /** JSON of further, secret params, encrypted. */
  sealed?: string;
  accountId?: string;
  /** ISO 8601; the mail is not sent after this time. */
  notAfter?: string;
};

export type EventOf<Type extends Event["type"]> = Extract<Event, { type: Type }>;

/**
 * Events with the same key are delivered one after the other, in publishing order: a retried "started" must not arrive after
 * "stopped". Events without a key do not depend on order.
 */
export function orderKeyOf(event: Event): string | undefined {
  if (event.type === "mail.requested") return undefined;
  if ("associationId" in event) return event.associationId;
  return "accountId" in event ? event.accountId : undefined;
}

/** Part of every store: events commit or roll back with the transaction that publishes them (transactional outbox). */
export type EventPublisher = { publish(...events: Event[]): Promise<void> };

export type Subscriber<E> = (event: E) => Promise<unknown>;
/** Subscribers per event type, by the name of their module. */
export type Subscriptions = { [Type in Event["type"]]?: Record<string, Subscriber<EventOf<Type>>> };
