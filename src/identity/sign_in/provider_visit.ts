import type { ProviderName } from "../factors/factor_ports.ts";
import type { IdentityDeps } from "../ports.ts";
import type { ProviderVisit } from "./provider_ports.ts";

/** Time limit of a visit to the provider. */
export const VISIT_MINUTES = 10;

/** A pending visit. `linkTo`: the session whose account is to be linked; otherwise it signs in. */
type Pending = ProviderVisit & { provider: ProviderName; linkTo: string | undefined };

/** Visits are not stored: the browser keeps them in an encrypted cookie. */
export function providerVisits({
  cipher,
  mac,
  newToken,
  now,
}: Pick<IdentityDeps, "cipher" | "mac" | "newToken" | "now">) {
  // The same key encrypts other values as well.
  const KIND = "provider_visit";
  /** Constant-time comparison. */
  const isSame = (one: string, other: string) => mac("compare", one) === mac("compare", other);

  function read(cookie: string): Pending | undefined {
    try {
      const { kind, startedAt, ...pending } = JSON.parse(cipher.decrypt(cookie));
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
      return { visit, cookie: cipher.encrypt(JSON.stringify({ ...pending, kind: KIND, startedAt: now().getTime() })) };
    },

    /** The visit that this browser recently began at this provider, if `state` matches it. */
    resume(
      cookie: string | undefined,
      { provider, state }: { provider: ProviderName; state: string },
    ): Pending | undefined {
      const pending = cookie === undefined ? undefined : read(cookie);
      return pending?.provider === provider && isSame(pending.state, state) ? pending : undefined;
    },
  };
}
