import * as v from "valibot";
import { PROVIDERS, type ProviderName } from "../identity/factors/factor_ports.ts";
import type { WordsOf } from "./setting_words.ts";

/** A provider's keys and URLs for its adapter. */
export type ProviderConfig = {
  name: ProviderName;
  clientId: string;
  clientSecret: string;
  authorizeUrl: string;
  tokenUrl: string;
  issuer: string;
};

export const PROVIDER_SECRETS = ["GOOGLE_CLIENT_SECRET", "GITHUB_CLIENT_SECRET", "MICROSOFT_CLIENT_SECRET"] as const;

/** Must be https: secrets are sent there, and its answers are trusted because of TLS. */
function isSafe(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "" || url.hash !== "") return false;
  const isHere = url.hostname === "localhost" || url.hostname === "[::1]" || /^127(\.\d+){3}$/.test(url.hostname);
  return url.protocol === "https:" || (url.protocol === "http:" && isHere);
}

const key = v.optional(v.string());
const address = (standard: string) =>
  v.optional(v.pipe(v.string(), v.check(isSafe, "must be an https address (http only on this machine)")), standard);
const isTenantId = (tenant: string) => v.is(v.pipe(v.string(), v.uuid()), tenant);
const TENANT_GROUPS = ["common", "organizations", "consumers"];
const MICROSOFT = "https://login.microsoftonline.com";

/** Settings of the identity providers; each is enabled by its keys. */
export const providerEntries = {
  GOOGLE_CLIENT_ID: key,
  GOOGLE_CLIENT_SECRET: key,
  GOOGLE_AUTHORIZE_URL: address("https://accounts.google.com/o/oauth2/v2/auth"),
  GOOGLE_TOKEN_URL: address("https://oauth2.googleapis.com/token"),
  GOOGLE_ISSUER: address("https://accounts.google.com"),
  GITHUB_CLIENT_ID: key,
  GITHUB_CLIENT_SECRET: key,
  GITHUB_AUTHORIZE_URL: address("https://github.com/login/oauth/authorize"),
  GITHUB_TOKEN_URL: address("https://github.com/login/oauth/access_token"),
  GITHUB_API_URL: address("https://api.github.com"),
  MICROSOFT_CLIENT_ID: key,
  MICROSOFT_CLIENT_SECRET: key,
  MICROSOFT_TENANT: v.optional(
    v.pipe(
      v.string(),
      v.toLowerCase(),
      v.check(
        (tenant) => TENANT_GROUPS.includes(tenant) || isTenantId(tenant),
        'must be "common", "organizations", "consumers" or the id of a tenant',
      ),
    ),
    "common",
  ),
  MICROSOFT_AUTHORIZE_URL: address(`${MICROSOFT}/{tenant}/oauth2/v2.0/authorize`),
  MICROSOFT_TOKEN_URL: address(`${MICROSOFT}/{tenant}/oauth2/v2.0/token`),
  MICROSOFT_ISSUER: address(`${MICROSOFT}/{tenantid}/v2.0`),
};

/** Descriptions of the settings for the generated table. */
export const providerWords: WordsOf<typeof providerEntries> = {
  GOOGLE_CLIENT_ID: {
    says: "enables sign-in with Google; register `PUBLIC_URL/sign-in/google` there as the redirect URI",
    required: "with `GOOGLE_CLIENT_SECRET`",
  },
  GOOGLE_CLIENT_SECRET: { says: "the client secret for Google", required: "with `GOOGLE_CLIENT_ID`" },
  GOOGLE_AUTHORIZE_URL: { says: "Google’s authorization endpoint" },
  GOOGLE_TOKEN_URL: { says: "Google’s token endpoint" },
  GOOGLE_ISSUER: { says: "Google’s issuer" },
  GITHUB_CLIENT_ID: {
    says: "enables sign-in with GitHub; register `PUBLIC_URL/sign-in/github` there as the redirect URI",
    required: "with `GITHUB_CLIENT_SECRET`",
  },
  GITHUB_CLIENT_SECRET: { says: "the client secret for GitHub", required: "with `GITHUB_CLIENT_ID`" },
  GITHUB_AUTHORIZE_URL: { says: "GitHub’s authorization endpoint" },
  GITHUB_TOKEN_URL: { says: "GitHub’s token endpoint" },
  GITHUB_API_URL: { says: "the base URL of GitHub’s API; change it for GitHub Enterprise" },
  MICROSOFT_CLIENT_ID: {
    says: "enables sign-in with Microsoft, for accounts that have linked it in their profile, because Microsoft does not verify email addresses; register `PUBLIC_URL/sign-in/microsoft` there as the redirect URI",
    required: "with `MICROSOFT_CLIENT_SECRET`",
  },
  MICROSOFT_CLIENT_SECRET: { says: "the client secret for Microsoft", required: "with `MICROSOFT_CLIENT_ID`" },
  MICROSOFT_TENANT: {
    says: "which Microsoft accounts may sign in: `common`, `organizations`, `consumers` or a tenant id",
  },
  MICROSOFT_AUTHORIZE_URL: { says: "Microsoft’s authorization endpoint" },
  MICROSOFT_TOKEN_URL: { says: "Microsoft’s token endpoint" },
  MICROSOFT_ISSUER: { says: "Microsoft’s issuer" },
};
const schema = v.object(providerEntries);
type Settings = v.InferOutput<typeof schema>;

/** A key without its counterpart. */
export function providerProblems(settings: Settings): string[] {
  return PROVIDERS.flatMap((name) => {
    const upper = name.toUpperCase() as Uppercase<ProviderName>;
    const [id, secret] = [`${upper}_CLIENT_ID`, `${upper}_CLIENT_SECRET`] as const;
    if ((settings[id] === undefined) === (settings[secret] === undefined)) return [];
    const [missing, given] = settings[id] === undefined ? [id, secret] : [secret, id];
    return [`${missing} is missing: it belongs to ${given}`];
  });
}

/** The providers with keys. */
export function providersOf(settings: Settings): ProviderConfig[] {
  const { MICROSOFT_TENANT: tenant } = settings;
  // With several tenants each signs with its own id, which the adapter fills in.
  const tenantId = isTenantId(tenant) ? tenant : "{tenantid}";
  const addresses = {
    google: [settings.GOOGLE_AUTHORIZE_URL, settings.GOOGLE_TOKEN_URL, settings.GOOGLE_ISSUER],
    github: [settings.GITHUB_AUTHORIZE_URL, settings.GITHUB_TOKEN_URL, settings.GITHUB_API_URL],
    microsoft: [
      settings.MICROSOFT_AUTHORIZE_URL.replace("{tenant}", tenant),
      settings.MICROSOFT_TOKEN_URL.replace("{tenant}", tenant),
      settings.MICROSOFT_ISSUER.replace("{tenantid}", tenantId),
    ],
  } as const;
  return PROVIDERS.flatMap((name) => {
    const upper = name.toUpperCase() as Uppercase<ProviderName>;
    const [clientId, clientSecret] = [settings[`${upper}_CLIENT_ID`], settings[`${upper}_CLIENT_SECRET`]];
    if (clientId === undefined || clientSecret === undefined) return [];
    const [authorizeUrl, tokenUrl, issuer] = addresses[name].map((url) => url.replace(/\/+$/, "")) as [
      string,
      string,
      string,
    ];
    return [{ name, clientId, clientSecret, authorizeUrl, tokenUrl, issuer }];
  });
}
