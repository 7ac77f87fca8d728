import type { Event } from "../../src/events/catalogue.ts";

/**
 * What a right is derived from: proof of the address, consent and its scope, the plan, the account's existence, or its device
 * epoch (raised to forget all known browsers).
 */
export const FACTS = ["proof", "consent", "scope", "plan", "account", "epoch"] as const;
type Fact = (typeof FACTS)[number];
/**
 * For each fact that a right depends on: the events that derive it again when that fact changes, each with a subscriber in
 * `subscription_list.ts`, or why none is needed: nothing is stored of it, or it changes in the same transaction.
 */
type Right = Partial<Record<Fact, Event["type"][] | string>>;

const ASKED_EACH_TIME = "asked for by the address that is proven at that moment";

export const RIGHTS: Record<string, Right> = {
  // What older data and backups have is found by a job besides (askUnproven).
  "watch of one's own address": {
    proof: ["identity.emailChanged", "identity.deleted", "invitations.ownershipRefused"],
    plan: ["billing.subscriptionChanged"],
    account: ["identity.deleted"],
  },
  "watch with consent": {
    consent: ["invitations.granted", "invitations.ended"],
    scope: ["invitations.granted"],
    plan: ["billing.subscriptionChanged"],
    account: ["identity.deleted"],
  },
  "status, checks and figures": {
    proof: ["tracking.monitoringStarted", "tracking.monitoringStopped"],
    consent: ["tracking.monitoringStarted", "tracking.monitoringStopped"],
    scope: ["tracking.scopeChanged", "breaches.openAlertsChanged"],
    plan: ["tracking.monitoringSuspended", "tracking.monitoringResumed"],
    account: ["identity.deleted"],
  },
  "what an alert shows": {
    proof: ["tracking.monitoringStopped"],
    consent: ["tracking.monitoringStopped"],
    scope: ["tracking.scopeChanged"],
  },
  "pastes and stealer logs of one's own address": {
    proof: ["identity.emailChanged"],
    consent: ["tracking.monitoringStopped"],
    account: ["identity.deleted"],
  },
  "where alerts go": {
    proof: ["identity.emailChanged"],
    consent: ["tracking.contactsChanged"],
    account: ["identity.deleted"],
  },
  "an open question": {
    proof: ["tracking.consentDropped"],
    consent: ["tracking.consentRequested", "tracking.consentDropped"],
    account: ["identity.deleted"],
  },
  "questions to the owner of an address, and who watches it": {
    proof: `${ASKED_EACH_TIME} (invitations/grants.ts)`,
    account: ["identity.deleted"],
  },
  "the notice that one's own mailbox may be open to others": {
    proof: `${ASKED_EACH_TIME} (identity/factors/factors.ts)`,
    scope: `${ASKED_EACH_TIME} (identity/factors/factors.ts)`,
  },
  "what the administrator of a domain sees": {
    proof: "looked for every month, and the claim read at each request (domains/showing.ts)",
    consent: "the say of each person is read at each request (domains/finding.ts)",
    plan: "asked for at each request (domains/coverage.ts)",
    account: ["identity.deleted"],
  },
  "default contacts": { proof: "moved in the transaction of the change (identity/account/email_change.ts)" },
  "being a known browser": {
    epoch:
      "its mark names the epoch, which a reset, a changed password and ended sessions raise (identity/sign_in/login_throttle.ts)",
  },
  "sessions and tokens": {
    account: "asked for at each request, and removed in the transaction that ends them or the account",
  },
};
