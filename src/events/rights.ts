import type { Event } from "./catalogue.ts";

/**
 * What a right is derived from: proof of the address, consent and its scope, the plan, the account's existence, or its device
 * epoch (raised to forget all known browsers).
 */
type Fact = "proof" | "consent" | "scope" | "plan" | "account" | "epoch";
type Right = {
  facts: Fact[];
  /** Events that derive the right again when a fact changes, each with a subscriber in `subscription_list.ts`. */
  derivedBy: Event["type"][];
  /** Why a fact needs no event: nothing is stored of it, or it changes in the same transaction. */
  otherwise?: string;
};

/** The facts that each right depends on, and what derives it again when one of them changes. */
export const RIGHTS: Record<string, Right> = {
  "watch of one's own address": {
    facts: ["proof", "plan"],
    derivedBy: [
      ...(["identity.emailChanged", "identity.deleted"] as const),
      ...(["invitations.ownershipRefused", "billing.subscriptionChanged"] as const),
    ],
    otherwise: "what older data and backups have is found by a job (askUnproven)",
  },
  "watch with consent": {
    facts: ["consent", "scope", "plan"],
    derivedBy: ["invitations.granted", "invitations.ended", "identity.deleted", "billing.subscriptionChanged"],
  },
  "status, checks and figures": {
    facts: ["proof", "consent", "plan"],
    derivedBy: [
      ...(["tracking.monitoringStarted", "tracking.monitoringStopped"] as const),
      ...(["tracking.monitoringSuspended", "tracking.monitoringResumed", "breaches.openAlertsChanged"] as const),
    ],
  },
  "what an alert shows": { facts: ["scope"], derivedBy: ["tracking.scopeChanged", "tracking.monitoringStopped"] },
  "where alerts go": {
    facts: ["proof", "consent"],
    derivedBy: ["tracking.contactsChanged", "identity.emailChanged", "identity.deleted"],
  },
  "an open question": {
    facts: ["account"],
    derivedBy: ["tracking.consentRequested", "tracking.consentDropped", "identity.deleted"],
  },
  "questions to the owner of an address, and who watches it": {
    facts: ["proof"],
    derivedBy: ["identity.deleted"],
    otherwise: "asked for by the address that is proven at that moment (invitations/grants.ts)",
  },
  "the notice that one's own mailbox may be open to others": {
    facts: ["proof", "scope"],
    derivedBy: [],
    otherwise: "asked for by the address that is proven at that moment (identity/factors/factors.ts)",
  },
  "default contacts": {
    facts: ["proof"],
    derivedBy: [],
    otherwise: "moved in the transaction of the change (identity/account/email_change.ts)",
  },
  "being a known browser": {
    facts: ["epoch"],
    derivedBy: [],
    otherwise:
      "its mark names the epoch, which a reset, a changed password and ended sessions raise (identity/sign_in/login_throttle.ts)",
  },
  "sessions and tokens": {
    facts: ["account"],
    derivedBy: [],
    otherwise: "asked for at each request, and removed in the transaction that ends them or the account",
  },
};
