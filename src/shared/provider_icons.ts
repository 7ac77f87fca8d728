/** Icons on the buttons of sign-in providers. */
export const PROVIDER_ICONS = [
  ...(["key", "shield", "building", "home", "school", "users"] as const),
  ...(["google", "github", "microsoft"] as const),
] as const;
export type ProviderIcon = (typeof PROVIDER_ICONS)[number];
