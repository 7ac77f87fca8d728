/** The browser and system of a user agent; either may be unknown. */
export type Device = { browser?: string; system?: string };
