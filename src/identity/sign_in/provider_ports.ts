import type { ProviderIcon } from "../../shared/provider_icons.ts";
import type { Result } from "../../shared/result.ts";

/** A person as a provider describes them. Each provider's `subject` is stable and never reassigned. */
export type ProviderProfile = {
  subject: string;
  /** Unverified; "" when there is none. */
  email: string;
  /** True only where the provider itself has verified the mailbox, or the operator vouches for its addresses. */
  emailVerified: boolean;
  firstName?: string;
  lastName?: string;
  /** The person has passed a second step there that the operator trusts. */
  hasSecondStep?: boolean;
  /** Whether the person's groups make them staff; absent where groups decide nothing. */
  isStaff?: boolean;
  /** When the person last proved there who they are. */
  authenticatedAt?: Date;
  /** For single logout: the session's id there, and the ID token. */
  session?: { sid?: string; idToken?: string };
};

/**
 * The random values of one visit to a provider: `state` identifies the redirect back, `verifier` (PKCE) and `nonce` bind the
 * answer to it.
 */
export type ProviderVisit = { state: string; verifier: string; nonce: string };

/** What the provider sends the browser back with; `iss` (RFC 9207) names who answers. */
export type ProviderResponse = { code: string; iss?: string | undefined };

/** Whose sessions a logout token ends: those of a person, or one session. */
export type LogoutToken = { id: string; subject?: string | undefined; sid?: string | undefined };

/** An identity provider: builds its authorization URL, and identifies the person by the returned code. */
export type IdentityProvider = {
  /** In URLs. */
  name: string;
  /** As people know it. */
  label: string;
  icon: ProviderIcon;
  /** Names it in stored links and sessions. Bound to its issuer, as another issuer's subjects are other people. */
  key: string;
  /** Whether it can be asked for a fresh login, and reports when that took place. */
  canReauthenticate: boolean;
  /** Whether logging out here ends the session there, too. */
  singleLogout: boolean;
  /** The group whose members are staff; undefined where groups decide nothing. */
  staffGroup: string | undefined;
  authorizationUrl(
    visit: ProviderVisit,
    options?: { isReauthentication?: boolean },
  ): Promise<Result<URL, "PROVIDER_UNAVAILABLE">>;
  /** A code works once. The provider's access token is dropped as soon as the profile is read. */
  identify(
    answer: Omit<ProviderVisit, "state"> & ProviderResponse,
  ): Promise<Result<ProviderProfile, "PROVIDER_REFUSED" | "PROVIDER_UNAVAILABLE">>;
  /** Where the browser ends the session there; undefined where that is off or not possible. */
  logoutUrl(idToken: string | undefined): Promise<URL | undefined>;
  /** Verifies a logout token that the provider sent (OpenID Connect Back-Channel Logout). */
  readLogoutToken(token: string): Promise<Result<LogoutToken, "SIGNATURE_INVALID" | "PROVIDER_UNAVAILABLE">>;
};
