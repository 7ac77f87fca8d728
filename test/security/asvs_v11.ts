import { by, deviates, none, row } from "./asvs_row.ts";

/** Cryptography. */
export const V11 = [
  row(
    "11.1.1",
    2,
    "the key life cycle is documented",
    by(["security/document_test.ts", "list every purpose of a key, and every algorithm that the code uses"]),
  ),
  row(
    "11.1.2",
    2,
    "a cryptographic inventory exists",
    by(["security/document_test.ts", "list every purpose of a key, and every algorithm that the code uses"]),
  ),
  row(
    "11.2.1",
    2,
    "validated implementations",
    by(
      ["security/document_test.ts", "list every purpose of a key, and every algorithm that the code uses"],
      ["crypto_test.ts", "is SHA-256 in lower-case hex"],
      ["contracts/one_time_passwords_test.ts", "isRight() accepts the RFC's code at second %d"],
    ),
  ),
  row(
    "11.2.2",
    2,
    "algorithms and keys can be replaced",
    deviates(
      "passwords are rehashed with new parameters at the next sign-in, but APP_SECRET stays the same for an installation's lifetime: keyed hashes made with it also record who must never be asked again, so replacing it would forget refusals; an operator who has lost it has to start a new installation",
    ),
  ),
  row(
    "11.2.3",
    2,
    "128 bits of security",
    by(
      ["crypto_test.ts", "generates 256 random bits in base64url, never the same twice"],
      ["security/document_test.ts", "list every purpose of a key, and every algorithm that the code uses"],
    ),
  ),
  row(
    "11.3.1",
    1,
    "no weak modes",
    by(["security/document_test.ts", "list every purpose of a key, and every algorithm that the code uses"]),
  ),
  row(
    "11.3.2",
    1,
    "approved ciphers",
    by(["security/document_test.ts", "list every purpose of a key, and every algorithm that the code uses"]),
  ),
  row(
    "11.3.3",
    2,
    "encrypted data is authenticated",
    by(
      ["crypto_test.ts", "rejects modified ciphertext, wherever it was modified"],
      ["crypto_test.ts", "rejects truncated, extended and made-up ciphertext"],
    ),
  ),
  row(
    "11.4.1",
    1,
    "approved hashes",
    by(["security/document_test.ts", "list every purpose of a key, and every algorithm that the code uses"]),
  ),
  row(
    "11.4.2",
    2,
    "passwords are hashed slowly",
    by(
      ["identity/password_hasher_test.ts", "hash() includes its parameters and never returns the same hash twice"],
      ["identity/register_test.ts", "register() stores no plaintext password with the real hasher"],
      ["identity/login_test.ts", "login() rehashes when the stored hash has old parameters"],
    ),
  ),
  row(
    "11.4.3",
    2,
    "integrity hashes have at least 256 bits",
    by(
      ["backup/round_trip_test.ts", "every file truncated anywhere, and every flipped byte"],
      ["crypto_test.ts", "is HMAC-SHA-256 under a separate key, the same after a restart"],
    ),
  ),
  row(
    "11.4.4",
    2,
    "key derivation from passwords",
    none("no key is derived from a password; APP_SECRET is random, and HKDF derives keys from it"),
  ),
  row(
    "11.5.1",
    2,
    "values that must not be guessed have at least 128 random bits",
    by(
      ["crypto_test.ts", "generates 256 random bits in base64url, never the same twice"],
      ["identity/api_token_test.ts", "preserves all 256 bits, followed by their CRC-32 in base 62"],
      ["notifications/webhook_test.ts", "newWebhookSecret() generates usable secrets of 32 bytes"],
      ["http/pages_test.ts", "each have a separate nonce, the same in the policy and in the page"],
    ),
  ),
  row(
    "11.6.1",
    2,
    "approved public-key algorithms",
    by(
      ["contracts/passkey_ceremonies_test.ts", "signed() rejects another key's signature under the passkey's id"],
      [
        "contracts/passkey_ceremonies_test.ts",
        "created() and signed() accept a real key's response, even without user verification or a counter",
      ],
    ),
  ),
];
