import type { IdentityProvider, LogoutToken, ProviderProfile } from "../../../src/identity/sign_in/provider_ports.ts";
import { fail, ok } from "../../../src/shared/result.ts";

/** A provider whose users are set by the test. Like the real ones it accepts a code once, for its own visit. */
export function memoryProvider(name: string, changed: Partial<Pick<IdentityProvider, "key" | "label">> = {}) {
  const visits = new Map<string, { profile: ProviderProfile; verifier: string; nonce: string }>();
  let isDown = false;
  let asked = 0;

  const provider: IdentityProvider = {
    name,
    label: name.charAt(0).toUpperCase() + name.slice(1),
    icon: "key",
    key: name,
    canReauthenticate: name.startsWith("oidc"),
    singleLogout: name.startsWith("oidc"),
    staffGroup: undefined,
    ...changed,
    async authorizationUrl({ state, verifier, nonce }, { isReauthentication = false } = {}) {
      const asked = new URLSearchParams({ state, verifier, nonce, ...(isReauthentication && { prompt: "login" }) });
      return ok(new URL(`https://${name}.example/authorize?${asked}`));
    },
    async identify({ code, verifier, nonce }) {
      asked += 1;
      if (isDown) return fail("PROVIDER_UNAVAILABLE");
      const visit = visits.get(code);
      visits.delete(code);
      if (visit?.verifier !== verifier || visit.nonce !== nonce) return fail("PROVIDER_REFUSED");
      return ok(visit.profile);
    },
    logoutUrl: async (idToken) =>
      idToken === undefined ? undefined : new URL(`https://${name}.example/logout?id_token_hint=${idToken}`),
    // The token is what the provider would have signed.
    async readLogoutToken(token) {
      return token.startsWith("{") ? ok(JSON.parse(token) as LogoutToken) : fail("SIGNATURE_INVALID");
    },
  };
  return {
    ...provider,
    /** The user opens the URL and agrees: what the provider redirects back with. */
    consent(url: string | URL, profile: ProviderProfile): { code: string; state: string } {
      const { state = "", verifier = "", nonce = "" } = Object.fromEntries(new URL(url).searchParams);
      const code = `${name}-code-${visits.size}-${state}`;
      visits.set(code, { profile, verifier, nonce });
      return { code, state };
    },
    goDown() {
      isDown = true;
    },
    /** How often it was asked for a user's identity. */
    asked: () => asked,
  };
}

export type MemoryProvider = ReturnType<typeof memoryProvider>;
