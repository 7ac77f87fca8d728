import type { Provider } from "../api/api.ts";

/** Brand names, the same in every language. */
export const PROVIDER_NAMES: Record<Provider, string> = { google: "Google", github: "GitHub", microsoft: "Microsoft" };

export function isProvider(name: string | undefined): name is Provider {
  return name !== undefined && Object.hasOwn(PROVIDER_NAMES, name);
}
