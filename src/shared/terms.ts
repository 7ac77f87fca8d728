/**
 * The terms of service and the privacy notice in `locales`, which carry one version together: a new one is asked for again.
 * `since` is the day from which it holds.
 */
export const TERMS = { version: "2.0", since: "2026-11-22" } as const;

/** The path of a page that says what is agreed to. */
export const TERMS_PATHS = { terms: "terms-service", privacy: "privacy-notice" } as const;
