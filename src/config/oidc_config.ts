import * as v from "valibot";
import type { OidcSettings } from "../identity/adapters/providers/oidc_provider.ts";
import { PROVIDER_ICONS } from "../shared/provider_icons.ts";
import { incomplete, onOff, type SettingsOf, secureAddress } from "./config_values.ts";
import type { SettingWords, WordsOf } from "./setting_words.ts";

/** An OpenID Connect provider for its adapter. Its name is `google`, `microsoft`, `oidc`, `oidc-2` or `oidc-3`. */
export type OidcConfig = OidcSettings & { kind: "oidc" };

const PREFIXES = ["OIDC", "OIDC_2", "OIDC_3"] as const;
type Prefix = (typeof PREFIXES)[number];

const key = v.optional(v.string());
const list = v.pipe(
  v.string(),
  v.transform((text) => text.split(/[\s,]+/).filter(Boolean)),
);

const perProvider = {
  ISSUER: v.optional(secureAddress),
  CLIENT_ID: key,
  CLIENT_SECRET: key,
  NAME: v.optional(v.pipe(v.string(), v.maxLength(40, "must have at most 40 characters"))),
  ICON: v.optional(v.picklist(PROVIDER_ICONS, `must be one of ${PROVIDER_ICONS.join(", ")}`), "key"),
  SCOPES: v.optional(list, "openid email profile"),
  TRUST_MFA: v.optional(list, ""),
  TRUST_EMAIL: v.optional(onOff, "off"),
  GROUPS_CLAIM: v.optional(v.string(), "groups"),
  STAFF_GROUP: key,
  LOGOUT: v.optional(onOff, "on"),
};
type PerProvider = typeof perProvider;
type PerProviderName = keyof PerProvider;
type Prefixed<P extends string, Values extends Record<PerProviderName, unknown>> = {
  [Name in PerProviderName as `${P}_${Name}`]: Values[Name];
};

function prefixed<P extends Prefix, Values extends Record<PerProviderName, unknown>>(prefix: P, values: Values) {
  const named = Object.entries(values).map(([name, value]) => [`${prefix}_${name}`, value]);
  return Object.fromEntries(named) as Prefixed<P, Values>;
}

/** Settings of OpenID Connect providers; each is enabled by its issuer. */
const entries = {
  ...prefixed("OIDC", perProvider),
  ...prefixed("OIDC_2", perProvider),
  ...prefixed("OIDC_3", perProvider),
  OIDC_ONLY: v.optional(onOff, "off"),
};

const secrets = ["OIDC_CLIENT_SECRET", "OIDC_2_CLIENT_SECRET", "OIDC_3_CLIENT_SECRET"] as const;

const WORDS: Record<PerProviderName, SettingWords> = {
  ISSUER: {
    says: "enables sign-in with an OpenID Connect provider: its issuer, such as `https://id.example.org/realms/home`; register `PUBLIC_URL/sign-in/oidc` there as the redirect URI; the second and third provider have the same settings with `OIDC_2_` and `OIDC_3_`, at `/sign-in/oidc-2` and `/sign-in/oidc-3`",
    required: "with `OIDC_CLIENT_ID` or `OIDC_ONLY`",
  },
  CLIENT_ID: { says: "the client id that the provider knows Breachbell by", required: "with `OIDC_ISSUER`" },
  CLIENT_SECRET: { says: "the client secret", required: "with `OIDC_ISSUER`" },
  NAME: { says: "the provider’s name on the button", standard: "the issuer’s host" },
  ICON: { says: `the icon on the button: ${PROVIDER_ICONS.map((icon) => `\`${icon}\``).join(", ")}` },
  SCOPES: { says: "what is asked for; add the provider’s scope for groups if it has one" },
  TRUST_MFA: {
    says: "values of `amr` or `acr`, comma-separated, that count as the second step, such as `mfa`; only for accounts that are linked already",
    standard: "none",
  },
  TRUST_EMAIL: {
    says: "`on` counts its email addresses as verified although it does not say so; only for a provider in which people cannot choose their address themselves",
  },
  GROUPS_CLAIM: { says: "the claim with a person’s groups" },
  STAFF_GROUP: { says: "the group whose members are staff, for as long as they are in it" },
  LOGOUT: {
    says: "`on` ends the provider’s session at logout, and ours when the provider says so; register `PUBLIC_URL/login` there as the post-logout redirect URI and `PUBLIC_URL/api/providers/oidc/logout` as the back-channel logout URI",
  },
};
const further = Object.fromEntries(
  Object.keys(WORDS).map((name) => [name, { says: `as \`OIDC_${name}\``, isRepeated: true }]),
) as Record<PerProviderName, SettingWords>;

/** Descriptions of the settings for the generated table. */
const words: WordsOf<typeof entries> = {
  ...prefixed("OIDC", WORDS),
  ...prefixed("OIDC_2", further),
  ...prefixed("OIDC_3", further),
  OIDC_ONLY: {
    says: "`on` leaves the configured providers as the only way to log in: there are no passwords, and an account is created at its first login, as far as `REGISTRATION` allows",
  },
};

type Settings = SettingsOf<typeof entries>;
type One = SettingsOf<PerProvider>;

function settingsOf(settings: Settings, prefix: Prefix): One {
  const names = Object.keys(perProvider) as PerProviderName[];
  return Object.fromEntries(names.map((name) => [name, settings[`${prefix}_${name}`]])) as One;
}

/** A provider without its keys, keys without their provider, and OIDC_ONLY without any. */
function problems(settings: Settings): string[] {
  const missing = PREFIXES.flatMap((prefix) =>
    incomplete(settings, [`${prefix}_ISSUER`, `${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`]),
  );
  const issuers = PREFIXES.map((prefix) => settingsOf(settings, prefix).ISSUER).filter((one) => one !== undefined);
  const repeated = new Set(issuers).size < issuers.length ? ["OIDC_ISSUER is given to two providers"] : [];
  const only =
    settings.OIDC_ONLY === "on" && issuers.length === 0 ? ["OIDC_ISSUER is missing: it belongs to OIDC_ONLY"] : [];
  return [...missing, ...repeated, ...only];
}

/** The providers with an issuer and keys. */
export function oidcProvidersOf(settings: Settings): OidcConfig[] {
  return PREFIXES.flatMap((prefix) => {
    const one = settingsOf(settings, prefix);
    const { ISSUER: issuer, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, STAFF_GROUP: group } = one;
    if (issuer === undefined || clientId === undefined || clientSecret === undefined) return [];
    return [
      {
        kind: "oidc" as const,
        name: prefix.toLowerCase().replace("_", "-"),
        label: one.NAME ?? new URL(issuer).hostname,
        icon: one.ICON,
        issuer,
        clientId,
        clientSecret,
        scopes: [...new Set(["openid", ...one.SCOPES])],
        trustedMfa: one.TRUST_MFA,
        trustsEmail: one.TRUST_EMAIL === "on",
        staffGroup: group === undefined ? undefined : { claim: one.GROUPS_CLAIM, group },
        singleLogout: one.LOGOUT === "on",
      },
    ];
  });
}

export const oidcSettings = { entries, words, secrets, problems };
