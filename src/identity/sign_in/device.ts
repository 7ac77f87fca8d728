/** What a browser says of itself; either may be unknown. */
export type Device = { browser?: string; system?: string };
