/** What a personal token may be allowed to do; each stands alone, so that writing does not include reading. */
export const API_SCOPES = ["addresses:read", "addresses:write", "alerts:read", "alerts:write"] as const;
export type ApiScope = (typeof API_SCOPES)[number];
