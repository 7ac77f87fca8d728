import { by, deviates, none, row } from "./asvs_row.ts";

/** Authentication: the life of factors, second steps, and providers. */
export const V6_FACTORS = [
  row(
    "6.4.1",
    1,
    "codes that we make are random, short-lived and no password",
    by(
      ["identity/attempts_test.ts", "randomCode() gives six digits, each place evenly"],
      ["identity/verify_code_test.ts", "verifyCode() accepts a code for ten minutes"],
    ),
  ),
  row("6.4.2", 1, "no secret questions", none("there are none, nor hints")),
  row(
    "6.4.3",
    2,
    "a forgotten password does not skip the second step",
    by(
      ["identity/password_reset_test.ts", "resetPassword() changes the password, signs nobody in and tells the owner"],
      [
        "identity/wrong_codes_test.ts",
        "of an authenticator app leave its lock standing after a new password: a mailbox proves no phone",
      ],
    ),
  ),
  row(
    "6.4.4",
    2,
    "a lost factor is not replaced by less",
    by(
      ["identity/recovery_codes_test.ts", "a code completes one sign-in, and its owner is told how many are left"],
      [
        "identity/authenticator_test.ts",
        "the app's code completes the sign-in; no code is mailed, and none can be asked for",
      ],
    ),
  ),
  row(
    "6.5.1",
    2,
    "each code works once",
    by(
      ["identity/verify_code_test.ts", "verifyCode() accepts a code once, also when 50 try it at the same time"],
      ["identity/factor_parallel_test.ts", "of 50 sign-ins with one code of the app, one is let in"],
      ["identity/factor_parallel_test.ts", "of 50 sign-ins with one recovery code, one is let in"],
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
      ["identity/attempts_test.ts", "randomCode() gives six digits, each place evenly"],
      ["contracts/one_time_passwords_test.ts", "newSecret() draws 160 bits, and never the same"],
      ["architecture/boundaries_test.ts", "%s is kept everywhere"],
    ),
  ),
  row(
    "6.5.4",
    2,
    "codes have 20 bits at least",
    by(
      ["identity/attempts_test.ts", "randomCode() gives six digits, each place evenly"],
      ["identity/recovery_codes_test.ts", "draws ten of 32 characters, each as often as the others"],
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
    by(["identity/verify_code_test.ts", "verifyCode() refuses the code of another sign-in"]),
  ),
  row(
    "6.6.3",
    2,
    "codes cannot be guessed by trying",
    by(
      ["identity/verify_code_test.ts", "verifyCode() evaluates at most five of 200 parallel wrong codes"],
      ["identity/wrong_codes_test.ts", "take at least nine hours, and then only a new password opens the account"],
    ),
  ),
  row(
    "6.8.1",
    2,
    "people of one provider are not those of another",
    by(
      ["identity/provider_sign_in_test.ts", "takes the cookie of one provider for no other"],
      ["identity/provider_links_test.ts", "takes no identity from another account, and no second one of a provider"],
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
