import * as oidc from "openid-client";
import * as v from "valibot";
import { PRODUCT } from "../../../shared/product.ts";
import { fail, ok } from "../../../shared/result.ts";
import type { IdentityProvider } from "../../sign_in/provider_ports.ts";
import { namesOf } from "./person.ts";
import { failureOf } from "./provider_failures.ts";
import { boundedFetch, callFailure, within } from "./provider_fetch.ts";

export type GitHubSettings = {
  clientId: string;
  clientSecret: string;
  authorizeUrl: string;
  tokenUrl: string;
  apiUrl: string;
};

type Options = GitHubSettings & {
  redirectUri: string;
  /** Deadline of one identification. */
  timeoutMs?: number;
  /** Reports a failure to the operator, without tokens, codes or personal data. */
  onTrouble: (reason: string) => void;
};

const TIMEOUT_MS = 10_000;
const user = v.object({
  id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  name: v.nullish(v.pipe(v.string(), v.trim())),
});
const emails = v.array(v.object({ email: v.string(), primary: v.boolean(), verified: v.boolean() }));

function configurationOf({ clientId, clientSecret, authorizeUrl, tokenUrl }: Options): oidc.Configuration {
  const server = {
    issuer: new URL(authorizeUrl).origin,
    authorization_endpoint: authorizeUrl,
    token_endpoint: tokenUrl,
  };
  const configuration = new oidc.Configuration(server, clientId, {}, oidc.ClientSecretPost(clientSecret));
  configuration[oidc.customFetch] = (to, init) => boundedFetch(to, init as RequestInit);
  if (tokenUrl.startsWith("http:")) oidc.allowInsecureRequests(configuration);
  return configuration;
}

/** Sign-in by GitHub, which speaks OAuth 2.0 and has no ID token: its API is called with the access token. */
export function githubProvider(options: Options): IdentityProvider {
  const { apiUrl, redirectUri, onTrouble } = options;
  const configuration = configurationOf(options);

  function unavailable(reason: string) {
    onTrouble(reason);
    return fail("PROVIDER_UNAVAILABLE");
  }

  async function get(path: string, accessToken: string): Promise<{ body: unknown } | { trouble: string }> {
    const headers = { Accept: "application/json", Authorization: `Bearer ${accessToken}`, "User-Agent": PRODUCT };
    const answer = await boundedFetch(`${apiUrl}${path}`, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (answer.status !== 200) return { trouble: `its API answered with the status ${answer.status}` };
    return { body: await answer.json().catch(() => undefined) };
  }

  async function profileOf(accessToken: string) {
    const answers = await Promise.all([get("/user", accessToken), get("/user/emails", accessToken)]);
    for (const answer of answers) if ("trouble" in answer) return unavailable(answer.trouble);
    const [one, other] = answers.map((answer) => ("body" in answer ? answer.body : undefined));
    const [person, addresses] = [v.safeParse(user, one), v.safeParse(emails, other)];
    if (!person.success || !addresses.success) return unavailable("its API answered in another form");
    const primary = addresses.output.find((address) => address.primary);
    return ok({
      subject: String(person.output.id),
      email: primary?.email ?? "",
      emailVerified: primary?.verified === true,
      ...namesOf(person.output),
    });
  }

  async function identify({ code, verifier }: { code: string; verifier: string }) {
    const back = new URL(redirectUri);
    back.searchParams.set("code", code);
    let accessToken: string;
    try {
      const checks = { pkceCodeVerifier: verifier };
      accessToken = (await oidc.authorizationCodeGrant(configuration, back, checks)).access_token;
    } catch (error) {
      return failureOf(error, onTrouble);
    }
    return profileOf(accessToken);
  }

  return {
    name: "github",
    label: "GitHub",
    icon: "github",
    key: "github",
    canReauthenticate: false,
    singleLogout: false,
    staffGroup: undefined,
    async authorizationUrl({ state, verifier, nonce }) {
      return ok(
        oidc.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: "read:user user:email",
          state,
          nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
        }),
      );
    },
    identify: (answer) =>
      within(options.timeoutMs ?? TIMEOUT_MS, identify(answer)).catch((error) => unavailable(callFailure(error))),
    logoutUrl: async () => undefined,
    readLogoutToken: async () => fail("SIGNATURE_INVALID"),
  };
}
