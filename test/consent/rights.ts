/** What a right is derived from: a proof of the address, a consent with its scope, or a plan. */
type Fact = "proof" | "consent" | "scope" | "plan" | "account";

/** Which facts each right depends on, and the events that derive it again when one of them changes. */
export const RIGHTS: Record<string, { facts: Fact[]; derivedBy: string[] }> = {
  "watch of one's own address": {
    facts: ["proof", "plan"],
    derivedBy: [
      "identity.emailChanged",
      "identity.deleted",
      "invitations.ownershipRefused",
      "billing.subscriptionChanged",
    ],
  },
  "watch with consent": {
    facts: ["consent", "scope", "plan"],
    derivedBy: ["invitations.granted", "invitations.ended", "identity.deleted", "billing.subscriptionChanged"],
  },
  "status, checks and figures": {
    facts: ["proof", "consent", "plan"],
    derivedBy: [
      "tracking.monitoringStarted",
      "tracking.monitoringStopped",
      "tracking.monitoringSuspended",
      "tracking.monitoringResumed",
      "breaches.openAlertsChanged",
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
};
