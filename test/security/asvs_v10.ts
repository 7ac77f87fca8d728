import { by, none, row } from "./asvs_row.ts";

const NO_RESOURCES = none("the API takes personal tokens of its own, none of an authorization server");
const NO_SERVER = none("the product is no authorization server");

/** OAuth and OIDC: the product is a client of Google, GitHub and Microsoft, if the operator enables them. */
export const V10 = [
  row(
    "10.1.1",
    2,
    "tokens of providers stay on the server",
    by(
      ["identity/arctic_trouble_test.ts", "is unavailable after %s, and reports the reason without a secret"],
      [
        "identity/arctic_provider_test.ts",
        "sends the code, the verifier and our keys in the body, and nothing of them in the URL",
      ],
    ),
  ),
  row(
    "10.1.2",
    2,
    "an answer belongs to the browser that asked",
    by(
      [
        "identity/provider_sign_in_test.ts",
        "logs nobody in with another visitor's link: no cookie, another's cookie, another state",
      ],
      ["contracts/identity_provider_test.ts", "uses the code flow for %s, with PKCE, state and nonce"],
    ),
  ),
  row(
    "10.2.1",
    2,
    "PKCE and state",
    by(
      ["contracts/identity_provider_test.ts", "uses the code flow for %s, with PKCE, state and nonce"],
      ["contracts/identity_provider_test.ts", "a code with the %s of another visit is refused"],
    ),
  ),
  row(
    "10.2.2",
    2,
    "one provider's answer is not taken to another",
    by(["identity/provider_sign_in_test.ts", "does not accept the cookie of one provider for another"]),
  ),
  row("10.3.1", 2, "audience of access tokens", NO_RESOURCES),
  row("10.3.2", 2, "scopes of access tokens", NO_RESOURCES),
  row("10.3.3", 2, "people by claims", NO_RESOURCES),
  row("10.3.4", 2, "strength by claims", NO_RESOURCES),
  row("10.4.1", 1, "redirect addresses", NO_SERVER),
  row("10.4.2", 1, "codes work once", NO_SERVER),
  row("10.4.3", 1, "codes live shortly", NO_SERVER),
  row("10.4.4", 1, "grants", NO_SERVER),
  row("10.4.5", 1, "replay of refresh tokens", NO_SERVER),
  row("10.4.6", 2, "PKCE demanded", NO_SERVER),
  row("10.4.7", 2, "registration of clients", NO_SERVER),
  row("10.4.8", 2, "end of refresh tokens", NO_SERVER),
  row("10.4.9", 2, "revocation", NO_SERVER),
  row("10.4.10", 2, "clients prove themselves", NO_SERVER),
  row("10.4.11", 2, "scopes given", NO_SERVER),
  row(
    "10.5.1",
    2,
    "an ID token works once",
    by(
      ["contracts/identity_provider_test.ts", "a code with the %s of another visit is refused"],
      ["contracts/identity_provider_test.ts", "a code is valid once, even for ten concurrent uses"],
    ),
  ),
  row(
    "10.5.2",
    2,
    "people are known by what is never given to others",
    by(
      [
        "identity/arctic_provider_test.ts",
        "never treats Microsoft's email as verified, and identifies users by tenant and object id",
      ],
      [
        "identity/arctic_provider_test.ts",
        "identifies the user by number, and takes the primary email if it is verified",
      ],
    ),
  ),
  row("10.5.3", 2, "metadata of the issuer", none("no metadata is read: addresses and issuer are configured")),
  row("10.5.4", 2, "an ID token is for us", by(["identity/arctic_provider_test.ts", "rejects Google's with %s"])),
  row("10.5.5", 2, "back-channel logout", none("there is none")),
  row("10.6.1", 2, "response modes", NO_SERVER),
  row("10.6.2", 2, "forced logout", NO_SERVER),
  row("10.7.1", 2, "consent of each request", NO_SERVER),
  row("10.7.2", 2, "what is consented to", NO_SERVER),
  row("10.7.3", 2, "consent taken back", NO_SERVER),
];
