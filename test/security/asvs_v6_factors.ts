import { by, deviates, none, row } from "./asvs_row.ts";

/** Authentication: the life cycle of factors, second steps, and providers. */
export const V6_FACTORS = [
  row(
    "6.4.1",
    1,
    "codes that we make are random, short-lived and no password",
    by(
      ["identity/attempts_test.ts", "randomCode() returns six digits, evenly distributed at each position"],
      ["identity/verify_code_test.ts", "verifyCode() accepts a code for ten minutes"],
    ),
  ),
  row("6.4.2", 1, "no secret questions", none("there are none, nor hints")),
  row(
    "6.4.3",
    2,
    "a forgotten password does not skip the second step",
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
    "a lost factor is not replaced by less",
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
      "mailed and recovery codes are stored as HMAC-SHA-256 under a key outside the database: a million guesses fall to any hash, the key does not leak with the rows",
    ),
  ),
  row(
    "6.5.3",
    2,
    "codes and seeds come from a secure source",
    by(
      ["identity/attempts_test.ts", "randomCode() returns six digits, evenly distributed at each position"],
      ["contracts/one_time_passwords_test.ts", "newSecret() generates 160 random bits, never the same twice"],
      ["architecture/boundaries_test.ts", "follows the rule %s everywhere"],
    ),
  ),
  row(
    "6.5.4",
    2,
    "codes have 20 bits at least",
    by(
      ["identity/attempts_test.ts", "randomCode() returns six digits, evenly distributed at each position"],
      ["identity/recovery_codes_test.ts", "draws ten of 32 characters with equal frequency"],
    ),
  ),
  row(
    "6.5.5",
    2,
    "mailed codes live ten minutes, codes of an app half of one",
    deviates(
      "mailed codes live ten minutes; a code of an app also counts in the step before and after its own, as phones' clocks differ (RFC 6238, 5.2), and once in all",
    ),
  ),
  row("6.6.1", 2, "codes by phone", none("no code goes by phone or SMS")),
  row(
    "6.6.2",
    2,
    "a code belongs to one sign-in",
    by(["identity/verify_code_test.ts", "verifyCode() rejects the code of another log-in"]),
  ),
  row(
    "6.6.3",
    2,
    "codes cannot be guessed by trying",
    by(
      ["identity/verify_code_test.ts", "verifyCode() evaluates at most five of 200 concurrent wrong codes"],
      ["identity/wrong_codes_test.ts", "take at least nine hours, and then require a password reset"],
    ),
  ),
  row(
    "6.8.1",
    2,
    "people of one provider are not those of another",
    by(
      ["identity/provider_sign_in_test.ts", "does not accept the cookie of one provider for another"],
      ["identity/provider_links_test.ts", "refuses another account's identity, and a second one of the same provider"],
    ),
  ),
  row(
    "6.8.2",
    2,
    "signatures of what a provider says are checked",
    deviates(
      "an id_token comes straight from the provider's own endpoint over a verified TLS connection, which OpenID Connect Core 3.1.3.7 (6) takes in place of its signature; issuer, audience, end and nonce are checked",
    ),
  ),
  row("6.8.3", 2, "SAML", none("no SAML")),
  row(
    "6.8.4",
    2,
    "how strongly the provider asked",
    by([
      "identity/provider_sign_in_test.ts",
      "leads a verified email to its account's second step, and links after the code",
    ]),
  ),
];
