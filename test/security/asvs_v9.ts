import { by, none, row } from "./asvs_row.ts";

/**
 * Self-contained tokens: the cookies of a known device and of a visit to a provider, price quotes, and unsubscribe
 * links.
 */
export const V9 = [
  row(
    "9.1.1",
    1,
    "tokens are trusted only after their signature has been verified",
    by(
      ["identity/known_device_test.ts", "remember() never adopts %s"],
      ["identity/oidc_provider_test.ts", "refuses one %s"],
      ["identity/logout_token_test.ts", "refuses one that nobody, somebody else, or our own secret has signed"],
    ),
  ),
  row(
    "9.1.2",
    1,
    "only allow-listed signing algorithms are accepted",
    by(
      ["identity/known_device_test.ts", "remember() never adopts %s"],
      ["crypto_test.ts", "is HMAC-SHA-256 under a separate key, the same after a restart"],
      ["security/document_test.ts", "list every purpose of a key, and every algorithm that the code uses"],
    ),
  ),
  row(
    "9.1.3",
    1,
    "verification keys come from trusted configuration",
    by(
      ["crypto_test.ts", "cannot be decrypted with another secret"],
      [
        "billing/webhooks_test.ts",
        "does nothing without a signature, with an invalid one, or with one that is too old",
      ],
    ),
  ),
  row(
    "9.2.1",
    1,
    "signed validity periods are enforced",
    by(
      ["identity/known_device_test.ts", "idFor() recognises the account for a year after its last log-in"],
      ["identity/provider_sign_in_test.ts", "allows just under ten minutes at the provider: %j"],
      ["identity/oidc_provider_test.ts", "refuses %s, and tells the operator"],
    ),
  ),
  row(
    "9.2.2",
    2,
    "a token is only accepted for its own purpose",
    by(
      ["crypto_test.ts", "separates purpose and value"],
      ["identity/provider_sign_in_test.ts", "accepts no other sealed value as a visit's cookie"],
      ["notifications/summary_test.ts", "is invalid when it is forged, of another kind, or its account was deleted"],
    ),
  ),
  row(
    "9.2.3",
    2,
    "a token is only accepted by its audience",
    by(["identity/oidc_provider_test.ts", "refuses %s, and tells the operator"]),
  ),
  row(
    "9.2.4",
    2,
    "one key for several audiences",
    none("Breachbell signs for itself; what others verify is signed with a separate secret per webhook"),
  ),
];
