import type { ProviderName } from "../factors/factor_ports.ts";
import type { IdentityDeps } from "../ports.ts";
import type { ProviderVisit } from "./provider_ports.ts";

/** How long somebody may take at the provider. */
export const VISIT_MINUTES = 10;

/** A browser that was sent to a provider. `linkTo`: the session whose account is to be linked; else it is to sign in. */
type Pending = ProviderVisit & { provider: ProviderName; linkTo: string | undefined };

/** Nothing is stored of a visit: the browser keeps it, sealed, in a cookie of its own. */
export function providerVisits({ seal, mac, newToken, now }: Pick<IdentityDeps, "seal" | "mac" | "newToken" | "now">) {
  // Other values are sealed with the same key.
  const KIND = "provider_visit";
  /** Takes as long wherever they differ. */
  const isSame = (one: string, other: string) => mac("compare", one) === mac("compare", other);

  function read(cookie: string): Pending | undefined {
    try {
      const { kind, startedAt, ...pending } = JSON.parse(seal.open(cookie));
      const age = now().getTime() - startedAt;
      return kind === KIND && age >= 0 && age < VISIT_MINUTES * 60_000 ? pending : undefined;
    } catch {
      return undefined;
    }
  }

  return {
    begin(provider: ProviderName, linkTo: string | undefined): { visit: ProviderVisit; cookie: string } {
      const visit = { state: newToken(), verifier: newToken(), nonce: newToken() };
      const pending: Pending = { ...visit, provider, linkTo };
      return { visit, cookie: seal.close(JSON.stringify({ ...pending, kind: KIND, startedAt: now().getTime() })) };
    },

    /** The visit that this browser began at this provider not long ago, if `state` is of that very one. */
    resume(
      cookie: string | undefined,
      { provider, state }: { provider: ProviderName; state: string },
    ): Pending | undefined {
      const pending = cookie === undefined ? undefined : read(cookie);
      return pending?.provider === provider && isSame(pending.state, state) ? pending : undefined;
    },
  };
}
