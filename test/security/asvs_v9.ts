import { by, deviates, none, row } from "./asvs_row.ts";

/**
 * Self-contained tokens: the cookies of a known device and of a visit to a provider, price quotes, and unsubscribe
 * links.
 */
export const V9 = [
  row(
    "9.1.1",
    1,
    "nothing is believed before its signature",
    deviates(
      "what we sign ourselves is checked first; the id_token of a provider is believed for the connection that it came by, as 6.8.2 says",
    ),
  ),
  row(
    "9.1.2",
    1,
    "one algorithm, chosen by us",
    by(
      ["identity/known_device_test.ts", "remember() never adopts %s"],
      ["crypto_test.ts", "is HMAC-SHA-256 under a separate key, the same after a restart"],
      ["security/document_test.ts", "list every purpose of a key, and every algorithm that the code uses"],
    ),
  ),
  row(
    "9.1.3",
    1,
    "keys come from the configuration",
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
    "an end that was signed is the end",
    by(
      ["identity/known_device_test.ts", "idFor() recognises the account for a year after its last log-in"],
      ["identity/provider_sign_in_test.ts", "allows just under ten minutes at the provider: %j"],
      ["identity/arctic_provider_test.ts", "rejects Google's with %s"],
    ),
  ),
  row(
    "9.2.2",
    2,
    "a token is good for its own purpose alone",
    by(
      ["crypto_test.ts", "separates purpose and value"],
      ["identity/provider_sign_in_test.ts", "accepts no other sealed value as a visit's cookie"],
      ["notifications/summary_test.ts", "is invalid when it is forged, of another kind, or its account was deleted"],
    ),
  ),
  row("9.2.3", 2, "a token is for this service", by(["identity/arctic_provider_test.ts", "rejects Google's with %s"])),
  row(
    "9.2.4",
    2,
    "one key for several audiences",
    none("the product signs for itself; what others verify is signed with a secret of each webhook's own"),
  ),
];
