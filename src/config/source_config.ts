import * as v from "valibot";
import { count, matching, onOff, type SettingsOf, secureAddress } from "./config_values.ts";
import type { WordsOf } from "./setting_words.ts";

/** A configured breach source. */
export type SourceConfig =
  | { kind: "bundled" }
  | { kind: "hibp"; baseUrl: string; apiKey: string | undefined; pollEveryMs: number }
  | { kind: "xposedornot"; baseUrl: string; apiKey: string | undefined }
  | { kind: "dataset" };

const KINDS = ["hibp", "xposedornot", "dataset", "bundled"] as const;

const address = v.pipe(
  v.string(),
  v.check((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), "must be an http or https address"),
);
const list = v.pipe(
  v.string(),
  v.transform((text) => text.split(",").map((name) => name.trim())),
  v.check((names) => new Set(names).size === names.length, "names a source twice"),
  v.array(v.picklist(KINDS, `must be a list of ${KINDS.join(", ")}`)),
);

/** Several tokens, so that one can be rotated without downtime. */
const tokens = v.pipe(
  v.string(),
  v.transform((text) => text.split(",").map((token) => token.trim())),
  v.everyItem(
    (token) => /^[\x21-\x7e]{32,}$/.test(token),
    "must be at least 32 characters without spaces, or such tokens with commas between",
  ),
);

const entries = {
  BREACH_SOURCE: v.optional(list),
  HIBP_BASE_URL: v.optional(address, "https://haveibeenpwned.com/api/v3"),
  HIBP_POLL_SECONDS: v.optional(count, "600"),
  HIBP_API_KEY: v.optional(matching(/^[0-9a-f]{32}$/i, "must be 32 hexadecimal characters")),
  XPOSEDORNOT_BASE_URL: v.optional(address, "https://api.xposedornot.com"),
  XPOSEDORNOT_API_KEY: v.optional(matching(/^[\x21-\x7e]{1,256}$/, "must be at most 256 characters without spaces")),
  BREACH_PUSH_TOKEN: v.optional(tokens),
  PWNED_PASSWORDS_BASE_URL: v.optional(address),
  LOGOS_BASE_URL: v.optional(v.union([v.literal("off"), address], 'must be an http or https address or "off"')),
  SIMPLELOGIN_BASE_URL: v.optional(secureAddress, "https://app.simplelogin.io"),
  ADDY_BASE_URL: v.optional(secureAddress, "https://app.addy.io"),
  SERVICE_PAGES: v.optional(onOff),
};

/** Descriptions of the settings for the generated table. */
const words: WordsOf<typeof entries> = {
  BREACH_SOURCE: {
    says: "where breaches come from: a comma-separated list of `hibp`, `xposedornot`, `dataset` and `bundled`; the first is the main one",
    standard: "`hibp` with a key, else `bundled`",
    required: "in production",
  },
  HIBP_BASE_URL: { says: "the base URL of Have I Been Pwned’s API" },
  HIBP_POLL_SECONDS: { says: "how often Have I Been Pwned is polled for its newest breach, in seconds" },
  HIBP_API_KEY: {
    says: "the API key for Have I Been Pwned; its subscription determines the request rate and whether k-anonymity is used",
    required: "with `BREACH_SOURCE=hibp`",
  },
  XPOSEDORNOT_BASE_URL: {
    says: "the base URL of XposedOrNot’s API, which needs no key and allows about 96 checks a day per server: for small installations",
  },
  XPOSEDORNOT_API_KEY: {
    says: "the API key for XposedOrNot, with which it lists the breaches of the domains that are verified for it there; single addresses need none",
  },
  BREACH_PUSH_TOKEN: {
    says: "bearer tokens (comma-separated, at least 32 characters each) for pushing matches to `POST /api/hibp/notify`, as Have I Been Pwned does for its enterprise customers; needs `hibp` or `bundled`",
  },
  PWNED_PASSWORDS_BASE_URL: {
    says: "where new passwords are looked up in known breaches, usually `https://api.pwnedpasswords.com`; only five hexadecimal digits of a hash are sent; while it cannot be asked, the other rules for passwords decide alone",
  },
  LOGOS_BASE_URL: {
    says: "where the server fetches logos of breached services, once each; `off` fetches none",
    standard: "Have I Been Pwned’s, with `hibp`",
  },
  SIMPLELOGIN_BASE_URL: {
    says: "SimpleLogin, from which people can import their aliases; people can also name a service that they host themselves",
  },
  ADDY_BASE_URL: { says: "the same for addy.io" },
  SERVICE_PAGES: {
    says: "whether the server asks each breached service of the catalogue, every two months, for its page to change passwords (`/.well-known/change-password`), to link it in alerts; nothing about people is sent",
    standard: "`on` with `hibp` or `xposedornot`, else `off`",
  },
};
const secrets = ["HIBP_API_KEY", "XPOSEDORNOT_API_KEY", "BREACH_PUSH_TOKEN"] as const;

type Settings = SettingsOf<typeof entries>;

/** Conflicting settings. */
function problems(settings: Settings): string[] {
  const { BREACH_SOURCE: names = [], HIBP_API_KEY, BREACH_PUSH_TOKEN } = settings;
  const list: string[] = [];
  if (BREACH_PUSH_TOKEN && !sourcesOf(settings).some(({ kind }) => kind === "hibp" || kind === "bundled"))
    list.push('BREACH_PUSH_TOKEN needs "hibp" in BREACH_SOURCE: its catalogue explains the breaches');
  if (names.includes("hibp") && !HIBP_API_KEY)
    list.push("HIBP_API_KEY is missing: BREACH_SOURCE=hibp needs a key of haveibeenpwned.com");
  if (names.includes("hibp") && names.includes("bundled"))
    list.push('BREACH_SOURCE cannot have both "hibp" and "bundled": they are the same catalogue, real and for show');
  return list;
}

export function sourcesOf(settings: Settings): SourceConfig[] {
  const { HIBP_API_KEY: apiKey, HIBP_BASE_URL: baseUrl, HIBP_POLL_SECONDS } = settings;
  const byKind: Record<(typeof KINDS)[number], SourceConfig> = {
    hibp: { kind: "hibp", baseUrl, apiKey, pollEveryMs: HIBP_POLL_SECONDS * 1000 },
    xposedornot: {
      kind: "xposedornot",
      baseUrl: settings.XPOSEDORNOT_BASE_URL,
      apiKey: settings.XPOSEDORNOT_API_KEY,
    },
    dataset: { kind: "dataset" },
    bundled: { kind: "bundled" },
  };
  const names = settings.BREACH_SOURCE ?? (apiKey ? ["hibp" as const] : ["bundled" as const]);
  return names.map((name) => byKind[name]);
}

/** Whether breached services are asked for their pages; by default not while all sources are local. */
export function servicePagesOf(settings: Settings): boolean {
  const { SERVICE_PAGES: given } = settings;
  const isOnline = sourcesOf(settings).some(({ kind }) => kind === "hibp" || kind === "xposedornot");
  return given === undefined ? isOnline : given === "on";
}

/** Where logos are fetched; by default nowhere while all sources are local. */
export function logosUrlOf(settings: Settings): string | undefined {
  const { LOGOS_BASE_URL: given } = settings;
  if (given === "off") return undefined;
  const isOnline = sourcesOf(settings).some(({ kind }) => kind === "hibp");
  return given ?? (isOnline ? "https://logos.haveibeenpwned.com" : undefined);
}

export const sourceSettings = { entries, words, secrets, problems };
