import { by, deviates, none, row } from "./asvs_row.ts";

/** Authentication: the life cycle of factors, second steps, and providers. */
export const V6_FACTORS = [
  row(
    "6.4.1",
    1,
    "generated initial codes are random, short-lived and no password",
    by(
      ["identity/attempts_test.ts", "randomCode() returns six digits, evenly distributed at each position"],
      ["identity/verify_code_test.ts", "verifyCode() accepts a code for ten minutes"],
    ),
  ),
  row("6.4.2", 1, "no secret questions", none("there are neither secret questions nor hints")),
  row(
    "6.4.3",
    2,
    "a password reset does not bypass the second factor",
    by(
      [
        "identity/password_reset_test.ts",
        "resetPassword() changes the password, opens no session and notifies the owner",
      ],
      [
        "identity/wrong_codes_test.ts",
        "of an authenticator app keep their lock after a new password, as a mailbox does not prove possession of the phone",
      ],
    ),
  ),
  row(
    "6.4.4",
    2,
    "replacing a lost factor needs equally strong proof",
    by(
      ["identity/recovery_codes_test.ts", "a code completes one log-in, and its owner is told how many are left"],
      ["identity/authenticator_test.ts", "the app's code completes the log-in; no code is mailed or can be requested"],
    ),
  ),
  row(
    "6.5.1",
    2,
    "each code works once",
    by(
      ["identity/verify_code_test.ts", "verifyCode() accepts a code once, even if 50 try it concurrently"],
      ["identity/factor_parallel_test.ts", "of 50 log-ins with one code of the app, one succeeds"],
      ["identity/factor_parallel_test.ts", "of 50 log-ins with one recovery code, one succeeds"],
    ),
  ),
  row(
    "6.5.2",
    2,
    "short secrets are stored as slow hashes",
    deviates(
      "mailed codes and recovery codes are stored as HMAC-SHA-256 under a key outside the database: any hash of a million possible codes can be reversed, but the key does not leak with the rows",
    ),
  ),
  row(
    "6.5.3",
    2,
    "codes and seeds come from a secure random source",
    by(
      ["identity/attempts_test.ts", "randomCode() returns six digits, evenly distributed at each position"],
      ["contracts/one_time_passwords_test.ts", "newSecret() generates 160 random bits, never the same twice"],
      ["architecture/boundaries_test.ts", "follows the rule %s everywhere"],
    ),
  ),
  row(
    "6.5.4",
    2,
    "codes have at least 20 bits of entropy",
    by(
      ["identity/attempts_test.ts", "randomCode() returns six digits, evenly distributed at each position"],
      ["identity/recovery_codes_test.ts", "draws ten of 32 characters with equal frequency"],
    ),
  ),
  row(
    "6.5.5",
    2,
    "mailed codes are valid for ten minutes, app codes for half a minute",
    deviates(
      "mailed codes are valid for ten minutes; an app code is also accepted in the time step before and after its own, because phones' clocks differ (RFC 6238, 5.2), and only once",
    ),
  ),
  row("6.6.1", 2, "codes by phone", none("no code is sent by phone or SMS")),
  row(
    "6.6.2",
    2,
    "a code is bound to one sign-in",
    by(["identity/verify_code_test.ts", "verifyCode() rejects the code of another log-in"]),
  ),
  row(
    "6.6.3",
    2,
    "codes cannot be guessed by brute force",
    by(
      ["identity/verify_code_test.ts", "verifyCode() evaluates at most five of 200 concurrent wrong codes"],
      ["identity/wrong_codes_test.ts", "take at least nine hours, and then require a password reset"],
    ),
  ),
  row(
    "6.8.1",
    2,
    "identities of one provider cannot impersonate those of another",
    by(
      ["identity/provider_sign_in_test.ts", "does not accept the cookie of one provider for another"],
      ["identity/provider_links_test.ts", "refuses another account's identity, and a second one of the same provider"],
    ),
  ),
  row(
    "6.8.2",
    2,
    "signatures on provider assertions are verified",
    by(
      ["identity/oidc_provider_test.ts", "refuses one %s"],
      ["identity/oidc_provider_test.ts", "refuses unsigned ones even from a provider that announces them"],
    ),
  ),
  row("6.8.3", 2, "SAML", none("SAML is not used")),
  row(
    "6.8.4",
    2,
    "authentication strength reported by the provider",
    by([
      "identity/provider_sign_in_test.ts",
      "leads a verified email to its account's second step, and links after the code",
    ]),
  ),
];
