import type { Columns, Kept, Table } from "./classes.ts";

const SECRET = "a secret";
const YEAR: Kept["until"] = "a year after it happened";
const ACCOUNT = "the account itself";

/** Accounts, log-ins, and payments. */
export const ACCOUNT_COLUMNS: Record<Table, Columns> = {
  "identity.users": {
    at: "account",
    told: `id email first_name last_name company_name language default_contacts wrong_codes staff locked_at created_at
      verified_at`,
    withheld: {
      password_hash: SECRET,
      network: "a keyed hash, which names nobody",
      staff_by: "whether somebody is staff is told; the provider whose group decides it is with the providers",
    },
    plain: "device_epoch",
    words: "language password_hash network staff_by",
  },
  "identity.sessions": {
    at: "account.sessions.*",
    told: "id account_id device ip_prefix confirmed_at created_at last_seen_at expires_at",
    withheld: {
      token_hash: SECRET,
      passkey_challenge: SECRET,
      level: "only full sessions are listed",
      challenge_id: "only full sessions are listed",
      link: "only of a sign-in under way; once made, the link is listed with the providers",
      provider:
        "the identity is listed with the providers; the provider's own token is encrypted and goes with the session",
    },
    words: "level",
  },
  "identity.login_codes": {
    withheld: {
      account_id: ACCOUNT,
      mac: "a keyed hash of a code that lives for minutes; that one was sent is in the deliveries",
    },
    plain: "id tries created_at sent_at expires_at",
    words: "mac",
  },
  "identity.reset_tokens": {
    withheld: {
      account_id: ACCOUNT,
      token_hash: "a hash of a link that lives for an hour; that one was sent is in the deliveries",
    },
    plain: "created_at expires_at",
    words: "token_hash",
  },
  "identity.email_changes": {
    at: "account.pendingEmail",
    told: "account_id email created_at expires_at",
    withheld: { token_hash: SECRET, former_address: "a choice that is shown on the page, and goes with the link" },
    words: "token_hash former_address",
  },
  "identity.authenticators": {
    at: "account.authenticator",
    told: "account_id created_at confirmed_at",
    withheld: { sealed_secret: SECRET, last_step: "the moment of the last code, which is in the activity" },
  },
  "identity.passkeys": {
    at: "account.passkeys.*",
    told: "id account_id counter transports name created_at last_used_at",
    withheld: { public_key: "of no use outside" },
    words: "transports",
  },
  "identity.recovery_codes": { at: "account.recoveryCodesLeft", told: "account_id", withheld: { mac: SECRET } },
  "identity.provider_links": {
    at: "account.providers.*",
    told: "provider subject account_id email linked_at",
    words: "provider",
  },
  "identity.terms_acceptances": {
    at: "account.acceptedTerms.*",
    told: "account_id version accepted_at",
    words: "version",
  },
  "identity.api_tokens": {
    at: "account.apiTokens.*",
    told: "id account_id name scopes created_at expires_at last_used_at last_ip_prefix",
    withheld: { token_hash: SECRET },
    plain: "busy_until",
    words: "scopes",
  },
  "identity.audit_events": {
    at: "account.activity.*",
    told: "account_id session_mark ip_prefix device detail",
    kept: {
      id: { why: "that something happened stays for the operator, without whom it concerned", until: YEAR },
      at: { why: "when it happened, as above", until: YEAR },
      event: { why: "what happened, as above", until: YEAR },
    },
    words: "event",
  },
  "identity.staff_acts": {
    at: "account.staffActs.*",
    told: "reason detail",
    withheld: { actor_id: "somebody else of the staff" },
    kept: {
      id: { why: "that the staff did something stays, so that it can be reviewed", until: YEAR },
      at: { why: "as above", until: YEAR },
      by: { why: "as above", until: YEAR },
      act: { why: "as above", until: YEAR },
      object_kind: { why: "as above", until: YEAR },
      object_id: {
        why: "of a ticket or message that is gone, as above; an account's own id goes with it",
        until: YEAR,
      },
    },
    words: "by act object_kind detail",
  },
  "identity.attempts": {
    kept: {
      key: { why: "a keyed hash, which names nobody: guesses count on", until: "its lock is over, an hour at most" },
    },
    plain: "tries until reserved",
    words: "key",
  },
  "billing.subscription": {
    at: "records.billing.subscription",
    told: `account_id started_at trial_ends_at ends_at ended_at cap customer_id customers asked answered ask_at
      checkout_until subscription_id item_id status plan quantity period currency purchased_at period_end cancel_at
      past_due_since granted_plan granted_quantity granted_from granted_until`,
    as: {
      ...Object.fromEntries(
        ["status", "plan", "quantity", "period", "currency"].map((name) => [name, `purchase.${name}`]),
      ),
      subscription_id: "purchase.subscriptionId",
      item_id: "purchase.itemId",
      purchased_at: "purchase.purchasedAt",
      period_end: "purchase.periodEnd",
      cancel_at: "purchase.cancelAt",
      past_due_since: "purchase.pastDueSince",
      granted_plan: "grant.plan",
      granted_quantity: "grant.quantity",
      granted_from: "grant.from",
      granted_until: "grant.until",
    },
    words: "customer_id subscription_id item_id status plan period currency granted_plan",
  },
  "billing.checkout": {
    at: "records.billing.checkouts.*",
    told: "session_id account_id plan quantity period currency click at state",
    words: "session_id plan period currency state",
  },
  "billing.orders": {
    at: "records.billing.orders.*",
    told: "id account_id at number plan quantity period amount refunded currency state",
    words: "id number plan period currency state",
  },
  "billing.notice": { at: "records.billing.notices.*", told: "account_id key at", words: "key" },
  "billing.former_trial": {
    kept: { mark: { why: "a keyed hash of a mailbox: it has one free trial", until: "for good" } },
    plain: "ends_at",
    words: "mark",
  },
  "billing.payment_event": { plain: "id at" },
  "billing.farewell": {
    kept: {
      customer_id: { why: "the payment provider is to forget this customer", until: "it has said that it has" },
      session_ids: { why: "open checkouts of that customer, to be ended", until: "the same" },
    },
    plain: "attempts due_at",
    words: "customer_id session_ids",
  },
  "backup.installation": { plain: "is_only value mac", words: "value mac" },
  "backup.schedule": {
    plain: "is_only since claimed_until last_at machine file bytes rows seconds trouble trouble_at",
    words: "machine file trouble",
  },
  "backup.erasure": {
    kept: {
      mark: { why: "a keyed hash, which names nobody: a restored backup brings nobody back", until: "for good" },
    },
    plain: "at",
    words: "mark",
  },
};
