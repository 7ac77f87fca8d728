/** How many aliases one address may have. */
export const MAX_ALIASES = 200;

/** Limit of an imported file, in bytes. */
export const MAX_ALIAS_FILE = 1_000_000;

/** Services that forward mail from aliases, whose lists can be imported. */
export const ALIAS_SERVICES = ["simplelogin", "addy"] as const;
export type AliasService = (typeof ALIAS_SERVICES)[number];

/** Where an alias comes from: a provider's rule, a service's own answer, or a list that was typed or uploaded. */
export const ALIAS_ORIGINS = ["rule", ...ALIAS_SERVICES, "list"] as const;
export type AliasOrigin = (typeof ALIAS_ORIGINS)[number];

/** `pending`: nothing is checked until someone at the alias confirms it. */
export const ALIAS_STATES = ["pending", "active"] as const;
export type AliasState = (typeof ALIAS_STATES)[number];

/** An address under which an alert's breach was found; `namesService`: its tag or name is the name of the breached service. */
export type FoundUnder = { address: string; namesService: boolean };

/** Second-level domains below which countries register names: "co.uk". */
const REGISTRY_LABELS = new Set(["com", "co", "org", "net", "gov", "edu", "ac"]);
/** Names that people give to aliases without meaning a service. */
const GENERAL_WORDS = new Set(["forum", "shop", "mail", "email", "app", "my", "login", "store", "www"]);
const SHORTEST_NAME = 3;

const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** What the alias may have been named after: its tag, or its whole name, and the parts of both. */
function namesIn(alias: string, tracked: string): string[] {
  const local = alias.slice(0, alias.lastIndexOf("@"));
  const plus = local.indexOf("+", 1);
  const name = plus < 0 ? local : local.slice(plus + 1);
  const own = plain(tracked.slice(0, tracked.lastIndexOf("@")));
  return [name, ...name.split(/[^\p{L}\p{N}]+/u)]
    .map(plain)
    .filter((one) => one.length >= SHORTEST_NAME && one !== own && !GENERAL_WORDS.has(one));
}

type Service = { title: string; domain: string };

/** The whole domain, the label that its owner registered, and the title. */
function namesOfService({ domain, title }: Service): string[] {
  const labels = domain.toLowerCase().split(".").slice(0, -1);
  return [domain, title, labels.findLast((label) => !REGISTRY_LABELS.has(label)) ?? ""].map(plain);
}

/**
 * Whether an alias is named after the breached service, as people name the alias that they give to one service only:
 * `ada+adobe@`, `adobe.x7@`. Compares whole words only, so that a chance resemblance accuses no one.
 */
export function isNamedAfter(alias: string, tracked: string, service: Service & { manyServices: boolean }): boolean {
  if (service.manyServices || alias === tracked) return false;
  const names = namesOfService(service);
  return namesIn(alias, tracked).some((name) => names.includes(name));
}
