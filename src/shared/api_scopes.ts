/** What a personal token may be allowed to do. Scopes are independent: write access does not include read access. */
export const API_SCOPES = ["addresses:read", "addresses:write", "alerts:read", "alerts:write", "events:read"] as const;
export type ApiScope = (typeof API_SCOPES)[number];
