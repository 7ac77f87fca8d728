import type { IdentityDeps } from "../ports.ts";
import type { ProviderVisit } from "./provider_ports.ts";

/** Time limit of a visit to the provider. */
export const VISIT_MINUTES = 10;

/**
 * What a visit is for: signing in, where `invitation` is the token of the operator's link; or linking the identity to the
 * session's account; or showing once more who holds the session.
 */
export type VisitPurpose =
  | { purpose: "sign_in"; invitation?: string | undefined }
  | { purpose: "link" | "confirm"; sessionId: string };

/** A pending visit. `provider`: its name. */
export type PendingVisit = ProviderVisit & { provider: string; startedAt: number; for: VisitPurpose };

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

  function read(cookie: string): PendingVisit | undefined {
    try {
      const { kind, ...pending } = JSON.parse(cipher.decrypt(cookie));
      const age = now().getTime() - pending.startedAt;
      return kind === KIND && age >= 0 && age < VISIT_MINUTES * 60_000 ? pending : undefined;
    } catch {
      return undefined;
    }
  }

  return {
    begin(provider: string, purpose: VisitPurpose): { visit: ProviderVisit; cookie: string } {
      const visit = { state: newToken(), verifier: newToken(), nonce: newToken() };
      const pending: PendingVisit = { ...visit, provider, startedAt: now().getTime(), for: purpose };
      return { visit, cookie: cipher.encrypt(JSON.stringify({ ...pending, kind: KIND })) };
    },

    /** The visit that this browser recently began at this provider, if `state` matches it. */
    resume(
      cookie: string | undefined,
      { provider, state }: { provider: string; state: string },
    ): PendingVisit | undefined {
      const pending = cookie === undefined ? undefined : read(cookie);
      return pending?.provider === provider && isSame(pending.state, state) ? pending : undefined;
    },
  };
}
