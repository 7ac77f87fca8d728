import { CodeChallengeMethod, OAuth2Client } from "arctic";
import * as v from "valibot";
import { PRODUCT } from "../../../shared/product.ts";
import { fail } from "../../../shared/result.ts";
import type { ProviderName } from "../../factors/factor_ports.ts";
import type { IdentityProvider } from "../../sign_in/provider_ports.ts";
import { ask } from "./arctic_http.ts";
import { githubProfile, googleProfile, type Identified, microsoftProfile, type Visit } from "./arctic_profiles.ts";

/** One provider's keys and URLs. `issuer`: of its tokens; Microsoft's may contain `{tenantid}`; for GitHub the URL of its API. */
export type ProviderSettings = {
  name: ProviderName;
  clientId: string;
  clientSecret: string;
  authorizeUrl: string;
  tokenUrl: string;
  issuer: string;
};

type Options = ProviderSettings & {
  redirectUri: string;
  now: () => Date;
  /** Deadline of one identification. */
  timeoutMs?: number;
  /** Reports a failure to the operator, without tokens, codes or personal data. */
  onTrouble: (reason: string) => void;
};

type Kind = { scopes: string[]; parameters: Record<string, string>; profile: (visit: Visit) => Promise<Identified> };

/** The differences between the providers. */
const KINDS: Record<ProviderName, Kind> = {
  google: {
    scopes: ["openid", "email", "profile"],
    parameters: { prompt: "select_account" },
    profile: googleProfile,
  },
  microsoft: {
    scopes: ["openid", "email", "profile"],
    parameters: { prompt: "select_account", response_mode: "query" },
    profile: microsoftProfile,
  },
  github: { scopes: ["read:user", "user:email"], parameters: {}, profile: githubProfile },
};

/**
 * Errors of a code that was used, expired or foreign, or of a user who declined; GitHub has its own. All others are our
 * configuration's fault.
 */
const REFUSALS = ["invalid_grant", "access_denied", "bad_verification_code"];
const TIMEOUT_MS = 10_000;

const tokenAnswer = v.object({
  error: v.optional(v.string()),
  id_token: v.optional(v.string()),
  access_token: v.optional(v.string()),
});

/** Sign-in with Google, GitHub or Microsoft, by arctic's OAuth 2.0 client. */
export function arcticProvider(options: Options): IdentityProvider {
  const { name, clientId, clientSecret, authorizeUrl, tokenUrl, issuer, redirectUri, now, onTrouble } = options;
  const { scopes, parameters, profile } = KINDS[name];
  const client = new OAuth2Client(clientId, null, redirectUri);

  function unavailable(reason: string): Identified {
    onTrouble(reason);
    return fail("PROVIDER_UNAVAILABLE");
  }

  /** Exchanges the code for tokens; GitHub answers 200 even to an invalid code. */
  async function exchange(code: string, verifier: string, signal: AbortSignal): Promise<Visit["tokens"] | Identified> {
    const grant = { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: redirectUri };
    const body = new URLSearchParams({ ...grant, client_id: clientId, client_secret: clientSecret });
    const answer = await ask(tokenUrl, { method: "POST", headers: { Accept: "application/json" }, body, signal });
    if (!answer.ok) return unavailable(answer.reason);
    const { status } = answer;
    const parsed = v.safeParse(tokenAnswer, answer.body);
    if (![200, 400, 401].includes(status) || !parsed.success)
      return unavailable(`the token endpoint answered with the status ${status}`);
    const { error, ...tokens } = parsed.output;
    if (error !== undefined && REFUSALS.includes(error)) return fail("PROVIDER_REFUSED");
    if (error !== undefined || status !== 200)
      return unavailable(`the token endpoint refused us: ${/^\w{1,50}$/.test(error ?? "") ? error : status}`);
    return tokens;
  }

  return {
    name,
    authorizationUrl({ state, verifier, nonce }) {
      const { S256 } = CodeChallengeMethod;
      const url = client.createAuthorizationURLWithPKCE(authorizeUrl, state, S256, verifier, scopes);
      for (const [key, value] of Object.entries({ ...parameters, nonce })) url.searchParams.set(key, value);
      return url;
    },
    async identify({ code, verifier, nonce }) {
      const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
      const tokens = await exchange(code, verifier, signal);
      if ("ok" in tokens) return tokens;
      const get = (url: string, accessToken: string) =>
        ask(url, {
          headers: { Accept: "application/json", Authorization: `Bearer ${accessToken}`, "User-Agent": PRODUCT },
          signal,
        });
      return profile({ tokens, nonce, clientId, issuer, now: now(), get, unavailable });
    },
  };
}
