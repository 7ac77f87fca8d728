/** What a personal token may be allowed to do. Write access does not include read access. */
export const API_SCOPES = ["addresses:read", "addresses:write", "alerts:read", "alerts:write", "events:read"] as const;
export type ApiScope = (typeof API_SCOPES)[number];

/** Scopes that are of use only together with another one, as the answers of their calls contain findings. */
const NEEDED: Partial<Record<ApiScope, ApiScope>> = { "alerts:write": "alerts:read", "events:read": "alerts:read" };

/** The scopes that these need. */
export function scopesNeededBy(scopes: readonly ApiScope[]): ApiScope[] {
  return scopes.flatMap((scope) => NEEDED[scope] ?? []);
}
