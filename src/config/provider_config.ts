import * as v from "valibot";
import type { GitHubSettings } from "../identity/adapters/providers/github_provider.ts";
import { incomplete, type SettingsOf, secureAddress } from "./config_values.ts";
import type { OidcConfig } from "./oidc_config.ts";
import type { WordsOf } from "./setting_words.ts";

/** GitHub speaks OAuth 2.0 only, so its endpoints are settings. */
export type GitHubConfig = GitHubSettings & { kind: "github"; name: "github"; label: string; icon: "github" };

/** A provider's keys and URLs for its adapter. */
export type ProviderConfig = OidcConfig | GitHubConfig;

const secrets = ["GOOGLE_CLIENT_SECRET", "GITHUB_CLIENT_SECRET", "MICROSOFT_CLIENT_SECRET"] as const;

const key = v.optional(v.string());
const address = (standard: string) => v.optional(secureAddress, standard);
const isTenantId = (tenant: string) => v.is(v.pipe(v.string(), v.uuid()), tenant);
const TENANT_GROUPS = ["common", "organizations", "consumers"];

/** Settings of the well-known identity providers; each is enabled by its keys. */
const entries = {
  GOOGLE_CLIENT_ID: key,
  GOOGLE_CLIENT_SECRET: key,
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
  MICROSOFT_ISSUER: address("https://login.microsoftonline.com/{tenant}/v2.0"),
};

/** Descriptions of the settings for the generated table. */
const words: WordsOf<typeof entries> = {
  GOOGLE_CLIENT_ID: {
    says: "enables sign-in with Google; register `PUBLIC_URL/sign-in/google` there as the redirect URI",
    required: "with `GOOGLE_CLIENT_SECRET`",
  },
  GOOGLE_CLIENT_SECRET: { says: "the client secret for Google", required: "with `GOOGLE_CLIENT_ID`" },
  GOOGLE_ISSUER: { says: "Google’s issuer, below which its configuration is found" },
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
  MICROSOFT_ISSUER: { says: "Microsoft’s issuer, below which its configuration is found" },
};
type Settings = SettingsOf<typeof entries>;

/** A key without its counterpart. */
function problems(settings: Settings): string[] {
  return (["GOOGLE", "GITHUB", "MICROSOFT"] as const).flatMap((name) =>
    incomplete(settings, [`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`]),
  );
}

const trimmed = (url: string) => url.replace(/\/+$/, "");
const PRESET = {
  kind: "oidc" as const,
  scopes: ["openid", "email", "profile"],
  trustedMfa: [],
  trustsEmail: false,
  staffGroup: undefined,
  // Their sessions belong to much more than this site.
  singleLogout: false,
};

/** The providers with keys. */
export function providersOf(settings: Settings): ProviderConfig[] {
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET } = settings;
  const { MICROSOFT_CLIENT_ID, MICROSOFT_CLIENT_SECRET, MICROSOFT_TENANT, MICROSOFT_ISSUER } = settings;
  const list: ProviderConfig[] = [];
  if (GOOGLE_CLIENT_ID !== undefined && GOOGLE_CLIENT_SECRET !== undefined) {
    const keys = { clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET };
    const issuer = trimmed(settings.GOOGLE_ISSUER);
    list.push({ ...PRESET, ...keys, name: "google", label: "Google", icon: "google", issuer });
  }
  if (GITHUB_CLIENT_ID !== undefined && GITHUB_CLIENT_SECRET !== undefined)
    list.push({
      kind: "github",
      name: "github",
      label: "GitHub",
      icon: "github",
      clientId: GITHUB_CLIENT_ID,
      clientSecret: GITHUB_CLIENT_SECRET,
      authorizeUrl: trimmed(settings.GITHUB_AUTHORIZE_URL),
      tokenUrl: trimmed(settings.GITHUB_TOKEN_URL),
      apiUrl: trimmed(settings.GITHUB_API_URL),
    });
  if (MICROSOFT_CLIENT_ID !== undefined && MICROSOFT_CLIENT_SECRET !== undefined) {
    const keys = { clientId: MICROSOFT_CLIENT_ID, clientSecret: MICROSOFT_CLIENT_SECRET };
    const issuer = trimmed(MICROSOFT_ISSUER.replace(/\{tenant(?:id)?\}/, MICROSOFT_TENANT));
    list.push({ ...PRESET, ...keys, name: "microsoft", label: "Microsoft", icon: "microsoft", issuer });
  }
  return list;
}

export const providerSettings = { entries, words, secrets, problems };
