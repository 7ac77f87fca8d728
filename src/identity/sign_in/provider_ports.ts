import type { Result } from "../../shared/result.ts";
import type { ProviderName } from "../factors/factor_ports.ts";

/** Somebody as a provider describes them. Each provider's `subject` never changes and is never given to anybody else. */
export type ProviderProfile = {
  subject: string;
  /** Only what the provider says; "" when it says none. */
  email: string;
  /** True only where the provider itself has made sure that the mailbox is theirs. */
  emailVerified: boolean;
  firstName?: string;
  lastName?: string;
};

/** The random values of one visit to a provider: `state` finds the way back, `verifier` (PKCE) and `nonce` tie the answer to it. */
export type ProviderVisit = { state: string; verifier: string; nonce: string };

/** Somebody else's sign-in. It sends the browser there, and learns from the code it brings back who that was. */
export type IdentityProvider = {
  name: ProviderName;
  authorizationUrl(visit: ProviderVisit): URL;
  /** A code is good once. What the provider gave for it is dropped as soon as the profile is read. */
  identify(
    answer: Omit<ProviderVisit, "state"> & { code: string },
  ): Promise<Result<ProviderProfile, "PROVIDER_REFUSED" | "PROVIDER_UNAVAILABLE">>;
};
