import type { ProviderName } from "../../../src/identity/factors/factor_ports.ts";
import type { IdentityProvider, ProviderProfile } from "../../../src/identity/sign_in/provider_ports.ts";
import { fail, ok } from "../../../src/shared/result.ts";

/** A provider whose users are set by the test. Like the real ones it accepts a code once, for its own visit. */
export function memoryProvider(name: ProviderName) {
  const visits = new Map<string, { profile: ProviderProfile; verifier: string; nonce: string }>();
  let isDown = false;
  let asked = 0;

  const provider: IdentityProvider = {
    name,
    authorizationUrl: ({ state, verifier, nonce }) =>
      new URL(`https://${name}.example/authorize?${new URLSearchParams({ state, verifier, nonce })}`),
    async identify({ code, verifier, nonce }) {
      asked += 1;
      if (isDown) return fail("PROVIDER_UNAVAILABLE");
      const visit = visits.get(code);
      visits.delete(code);
      if (visit?.verifier !== verifier || visit.nonce !== nonce) return fail("PROVIDER_REFUSED");
      return ok(visit.profile);
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
