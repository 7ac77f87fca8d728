import type { IdentityDeps } from "../ports.ts";

const KNOWN: Record<string, string> = { google: "Google", github: "GitHub", microsoft: "Microsoft" };
const SHORT = 16;

/** What stored keys of providers are called, also of those that are not configured any more. */
export function providerNames({ providers, hashToken }: Pick<IdentityDeps, "providers" | "hashToken">) {
  const providerOf = (key: string) => providers.find((one) => one.key === key);
  const isKnown = (key: string) => Object.hasOwn(KNOWN, key);
  const labelOf = (key: string): string =>
    providerOf(key)?.label ?? (isKnown(key) ? KNOWN[key] : URL.parse(key)?.hostname) ?? key;
  return {
    /** In URLs. */
    nameOf: (key: string): string => providerOf(key)?.name ?? (isKnown(key) ? key : hashToken(key).slice(0, SHORT)),

    /** As people know it. */
    labelOf,

    /** In the audit log and in mails: what well-known ones are called is decided where it is shown. */
    recordedAs: (key: string): string => (isKnown(key) ? key : labelOf(key)),
  };
}
