import type { Result } from "../../shared/result.ts";
import type { ProviderName } from "../factors/factor_ports.ts";

/** A person as a provider describes them. Each provider's `subject` is stable and never reassigned. */
export type ProviderProfile = {
  subject: string;
  /** Unverified; "" when there is none. */
  email: string;
  /** True only where the provider itself has verified the mailbox. */
  emailVerified: boolean;
  firstName?: string;
  lastName?: string;
};

/**
 * The random values of one visit to a provider: `state` identifies the redirect back, `verifier` (PKCE) and `nonce` bind the
 * answer to it.
 */
export type ProviderVisit = { state: string; verifier: string; nonce: string };

/** An OAuth identity provider: builds its authorization URL, and identifies the person by the returned code. */
export type IdentityProvider = {
  name: ProviderName;
  authorizationUrl(visit: ProviderVisit): URL;
  /** A code works once. The provider's tokens are dropped as soon as the profile is read. */
  identify(
    answer: Omit<ProviderVisit, "state"> & { code: string },
  ): Promise<Result<ProviderProfile, "PROVIDER_REFUSED" | "PROVIDER_UNAVAILABLE">>;
};
