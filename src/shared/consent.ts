/**
 * What the owner of an address lets somebody else see: `details` shows the breaches and what they exposed, without it only that
 * something happened; `sensitive` includes breaches that their source marks as sensitive.
 */
export type ConsentScope = { details: boolean; sensitive: boolean };

/** For the account's own address. */
export const FULL_SCOPE: ConsentScope = { details: true, sensitive: true };

/** Until the owner has consented. */
export const NO_SCOPE: ConsentScope = { details: false, sensitive: false };

/** How consent is asked for: of another person, or of oneself at another mailbox ("I own this email address"). */
export const CONSENT_KINDS = ["invitation", "ownership"] as const;
export type ConsentKind = (typeof CONSENT_KINDS)[number];

/** Version of the wording that owners consent to, stored with every answer; raise it when the wording changes. */
export const WORDING_VERSION = "2026-11-26";
