import { jwtVerify } from "jose";
import * as oidc from "openid-client";
import * as v from "valibot";
import type { ProviderIcon } from "../../../shared/provider_icons.ts";
import { fail, ok } from "../../../shared/result.ts";
import type { IdentityProvider, ProviderProfile } from "../../sign_in/provider_ports.ts";
import { logoutTokenReader } from "./logout_token.ts";
import { ALGORITHMS, type Discovered, discovered } from "./oidc_discovery.ts";
import { namesOf, personClaims } from "./person.ts";
import { failureOf } from "./provider_failures.ts";
import { within } from "./provider_fetch.ts";

/** An OpenID Connect provider; the two with a name of their own have their own rules. */
export type OidcSettings = {
  /** In URLs. */
  name: string;
  /** As people know it. */
  label: string;
  icon: ProviderIcon;
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: string[];
  /** Values of `amr` or `acr` that count as the second step. */
  trustedMfa: string[];
  /** Counts its email addresses as verified even if it does not say so. */
  trustsEmail: boolean;
  /** The claim with a person's groups, and the group whose members are staff. */
  staffGroup: { claim: string; group: string } | undefined;
  /** Logging out here also ends the session there, and the other way round. */
  singleLogout: boolean;
};

type Options = OidcSettings & {
  redirectUri: string;
  /** Where the provider sends the browser after its logout. */
  loggedOutUri: string;
  /** Deadline of one identification. */
  timeoutMs?: number;
  /** Reports a failure to the operator, without tokens, codes or personal data. */
  onTrouble: (reason: string) => void;
};

const TIMEOUT_MS = 10_000;
/** A provider that is down must not keep anybody logged in here. */
const LOGOUT_WAITS_MS = 1000;
/** A longer ID token is not kept: the provider then asks whom to log out. */
const KEPT_TOKEN_MAX = 8 * 1024;
const PRESETS = ["google", "microsoft"];
/** Issuers that have a name of their own, whichever settings lead there. */
const KNOWN_KEYS: Record<string, string> = { "https://accounts.google.com": "google" };

const strings = v.fallback(
  v.union([
    v.array(v.string()),
    v.pipe(
      v.string(),
      v.transform((one) => [one]),
    ),
  ]),
  [],
);
const text = v.fallback(v.optional(v.string()), undefined);
const idClaims = v.object({
  sub: v.pipe(v.string(), v.nonEmpty(), v.maxLength(255)),
  amr: v.optional(strings, []),
  acr: text,
  auth_time: v.fallback(v.optional(v.number()), undefined),
  sid: text,
});
const microsoftIds = v.object({ tid: v.pipe(v.string(), v.uuid()), oid: v.pipe(v.string(), v.uuid()) });
type Claims = Record<string, unknown>;
type IdClaims = v.InferOutput<typeof idClaims>;

/**
 * The identity that these claims describe. Microsoft's email is never trusted: a tenant's administrator can write any email, and
 * everyone can create a tenant; its `sub` differs from app to app.
 */
function identityOf({ name, trustsEmail }: OidcSettings, claims: Claims, sub: string) {
  const person = v.parse(personClaims, claims);
  const email = person.email ?? "";
  if (name !== "microsoft") {
    const emailVerified = person.email_verified === true || (trustsEmail && email !== "");
    return { subject: sub, email, emailVerified, ...namesOf(person) };
  }
  const ids = v.safeParse(microsoftIds, claims);
  if (!ids.success) return undefined;
  return { subject: `${ids.output.tid}:${ids.output.oid}`, email, emailVerified: false, ...namesOf(person) };
}

/** What a single logout needs of a session there. */
function sessionOf(sid: string | undefined, idToken: string) {
  return { ...(sid !== undefined && { sid }), ...(idToken.length <= KEPT_TOKEN_MAX && { idToken }) };
}

function profileOf(settings: OidcSettings, claims: Claims, idToken: string): ProviderProfile | undefined {
  const read = v.safeParse(idClaims, claims);
  const identity = read.success ? identityOf(settings, claims, read.output.sub) : undefined;
  if (!identity) return undefined;
  const { staffGroup, trustedMfa, singleLogout } = settings;
  const { amr, acr, auth_time: authTime, sid } = read.output as IdClaims;
  const methods = acr === undefined ? amr : [...amr, acr];
  return {
    ...identity,
    hasSecondStep: trustedMfa.some((value) => methods.includes(value)),
    ...(staffGroup && { isStaff: v.parse(strings, claims[staffGroup.claim]).includes(staffGroup.group) }),
    ...(authTime !== undefined && { authenticatedAt: new Date(authTime * 1000) }),
    ...(singleLogout && { session: sessionOf(sid, idToken) }),
  };
}

/** Sign-in by an OpenID Connect provider: authorization code with PKCE, state and nonce. */
export function oidcProvider(options: Options): IdentityProvider {
  const { name, label, icon, issuer, clientId, redirectUri, scopes, staffGroup, onTrouble } = options;
  const current = discovered(options);
  const isPreset = PRESETS.includes(name);
  const plainIssuer = issuer.replace(/\/+$/, "");

  /** Claims that some providers keep out of the ID token. */
  async function furtherClaims(configuration: oidc.Configuration, accessToken: string, claims: Claims) {
    const isWhole = "email" in claims && (staffGroup === undefined || staffGroup.claim in claims);
    if (isPreset || isWhole || configuration.serverMetadata().userinfo_endpoint === undefined) return {};
    return oidc.fetchUserInfo(configuration, accessToken, String(claims.sub));
  }

  async function exchange({ configuration, keys }: Discovered, { code, iss, verifier, nonce }: Answer) {
    const back = new URL(redirectUri);
    back.search = new URLSearchParams({ code, ...(iss !== undefined && { iss }) }).toString();
    const tokens = await oidc.authorizationCodeGrant(configuration, back, {
      pkceCodeVerifier: verifier,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    const { id_token: idToken = "", access_token: accessToken } = tokens;
    const { payload } = await jwtVerify(idToken, keys, { algorithms: ALGORITHMS, clockTolerance: 30 });
    const further = await furtherClaims(configuration, accessToken, payload);
    return { claims: { ...further, ...payload }, idToken };
  }

  return {
    name,
    label,
    icon,
    key: isPreset ? name : (KNOWN_KEYS[plainIssuer] ?? plainIssuer),
    canReauthenticate: !isPreset,
    singleLogout: options.singleLogout,
    staffGroup: staffGroup?.group,

    async authorizationUrl({ state, verifier, nonce }, { isReauthentication = false } = {}) {
      try {
        const { configuration } = await current();
        const asked = isReauthentication ? { prompt: "login", max_age: "0" } : isPreset && { prompt: "select_account" };
        return ok(
          oidc.buildAuthorizationUrl(configuration, {
            redirect_uri: redirectUri,
            scope: scopes.join(" "),
            state,
            nonce,
            code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
            code_challenge_method: "S256",
            ...asked,
          }),
        );
      } catch (error) {
        failureOf(error, (reason) => onTrouble(`its configuration cannot be read: ${reason}`));
        return fail("PROVIDER_UNAVAILABLE");
      }
    },

    async identify(answer) {
      try {
        const exchanged = current().then((known) => exchange(known, answer));
        const { claims, idToken } = await within(options.timeoutMs ?? TIMEOUT_MS, exchanged);
        const profile = profileOf(options, claims, idToken);
        return profile ? ok(profile) : fail("PROVIDER_REFUSED");
      } catch (error) {
        return failureOf(error, onTrouble);
      }
    },

    async logoutUrl(idToken) {
      if (!options.singleLogout) return undefined;
      const known = await within(LOGOUT_WAITS_MS, current()).catch(() => undefined);
      if (known?.configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
      return oidc.buildEndSessionUrl(known.configuration, {
        post_logout_redirect_uri: options.loggedOutUri,
        ...(idToken !== undefined && { id_token_hint: idToken }),
      });
    },

    readLogoutToken: options.singleLogout
      ? logoutTokenReader({ current, clientId, onTrouble })
      : async () => fail("SIGNATURE_INVALID"),
  };
}

type Answer = Parameters<IdentityProvider["identify"]>[0];
