/**
 * What the owner of an address lets somebody else see: `details` names the breaches and what they exposed, without it
 * only that something happened; `sensitive` adds breaches that their source marks as sensitive.
 */
export type ConsentScope = { details: boolean; sensitive: boolean };

/** One's own address. */
export const FULL_SCOPE: ConsentScope = { details: true, sensitive: true };

/** Before the owner has agreed. */
export const NO_SCOPE: ConsentScope = { details: false, sensitive: false };

/** How consent is asked for: of somebody else, or of oneself at another mailbox ("I own this email address"). */
export const CONSENT_KINDS = ["invitation", "ownership"] as const;
export type ConsentKind = (typeof CONSENT_KINDS)[number];

/** Grows when the words change that an owner agrees to; kept with every answer. */
export const WORDING_VERSION = "2026-11";
