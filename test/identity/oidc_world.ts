import { afterAll, beforeEach } from "bun:test";
import { oidcProvider } from "../../src/identity/adapters/providers/oidc_provider.ts";
import type { ProviderResponse } from "../../src/identity/sign_in/provider_ports.ts";
import { newToken } from "../../src/runtime/crypto.ts";
import { accepted } from "../support/builders.ts";
import { type OidcIssuer, providerBrowser, startOidcIssuer } from "../support/oidc_issuer.ts";

export const REDIRECT = "https://breachbell.example/sign-in/oidc";
export const LOGGED_OUT = "https://breachbell.example/login";
type Settings = Partial<Parameters<typeof oidcProvider>[0]>;

/** A real provider for the tests of one file, and the product's client of it. */
export async function oidcWorld(options: Partial<Parameters<typeof startOidcIssuer>[0]> = {}) {
  const issuer: OidcIssuer = await startOidcIssuer({ redirectUris: [REDIRECT], ...options });
  const troubles: string[] = [];
  afterAll(() => issuer.close());
  beforeEach(() => {
    issuer.behave();
    issuer.seen.length = 0;
    troubles.length = 0;
  });
  const aVisit = () => ({ state: newToken(), verifier: newToken(), nonce: newToken() });
  function provider(changed: Settings = {}) {
    return oidcProvider({
      name: "oidc",
      label: "Home",
      icon: "key",
      issuer: issuer.issuer,
      clientId: issuer.clientId,
      clientSecret: issuer.clientSecret,
      scopes: ["openid", "email", "profile"],
      trustedMfa: [],
      trustsEmail: false,
      staffGroup: undefined,
      singleLogout: true,
      redirectUri: REDIRECT,
      loggedOutUri: LOGGED_OUT,
      onTrouble: (reason) => void troubles.push(reason),
      ...changed,
    });
  }

  return {
    issuer,
    /** The messages logged for the operator. */
    troubles,
    aVisit,
    provider,
    /** A whole visit of `who`; `bent` changes what the browser returns with. */
    async visit(
      who = "alice",
      { by = provider(), bent = (returned) => returned }: Visiting = {},
    ): ReturnType<ReturnType<typeof oidcProvider>["identify"]> {
      const visit = aVisit();
      const url = accepted(await by.authorizationUrl(visit));
      // oidc-provider does not know this one, which Google and Microsoft do.
      if (url.searchParams.get("prompt") === "select_account") url.searchParams.delete("prompt");
      const { code, iss } = await providerBrowser().consent(url, who);
      return by.identify({ verifier: visit.verifier, nonce: visit.nonce, ...bent({ code, iss }) });
    },
  };
}

type Visiting = {
  by?: ReturnType<typeof oidcProvider>;
  bent?: (returned: ProviderResponse) => ProviderResponse & { verifier?: string; nonce?: string };
};
