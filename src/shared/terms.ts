/**
 * The common version of the terms of service and the privacy notice in `locales`; a new one has to be accepted again. `since` is
 * the day from which it applies.
 */
export const TERMS = { version: "2.5", since: "2026-11-27" } as const;

/** The paths of the legal pages. */
export const TERMS_PATHS = { terms: "terms-service", privacy: "privacy-notice" } as const;
