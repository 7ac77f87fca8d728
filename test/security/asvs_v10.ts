import { by, none, row } from "./asvs_row.ts";

const NO_RESOURCES = none("the API accepts its own personal tokens only, none from an authorization server");
const NO_SERVER = none("Breachbell is not an authorization server");

/** OAuth and OIDC: the product is a client of Google, GitHub and Microsoft, if the operator enables them. */
export const V10 = [
  row(
    "10.1.1",
    2,
    "provider tokens stay on the server",
    by(
      ["identity/github_provider_test.ts", "is unavailable after %s, and reports why without a secret"],
      [
        "identity/github_provider_test.ts",
        "sends the code, the verifier and our keys in the body, and nothing of them in the URL",
      ],
    ),
  ),
  row(
    "10.1.2",
    2,
    "an authorization response is bound to the browser that started the flow",
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
    "mix-up attacks between providers are prevented",
    by(["identity/provider_sign_in_test.ts", "does not accept the cookie of one provider for another"]),
  ),
  row("10.3.1", 2, "audience of access tokens", NO_RESOURCES),
  row("10.3.2", 2, "scopes of access tokens", NO_RESOURCES),
  row("10.3.3", 2, "identification of people by token claims", NO_RESOURCES),
  row("10.3.4", 2, "authentication strength by token claims", NO_RESOURCES),
  row("10.4.1", 1, "redirect addresses", NO_SERVER),
  row("10.4.2", 1, "single-use authorization codes", NO_SERVER),
  row("10.4.3", 1, "lifetime of authorization codes", NO_SERVER),
  row("10.4.4", 1, "grants", NO_SERVER),
  row("10.4.5", 1, "replay of refresh tokens", NO_SERVER),
  row("10.4.6", 2, "PKCE required", NO_SERVER),
  row("10.4.7", 2, "registration of clients", NO_SERVER),
  row("10.4.8", 2, "expiry of refresh tokens", NO_SERVER),
  row("10.4.9", 2, "revocation", NO_SERVER),
  row("10.4.10", 2, "client authentication", NO_SERVER),
  row("10.4.11", 2, "granted scopes", NO_SERVER),
  row(
    "10.5.1",
    2,
    "an ID token cannot be replayed",
    by(
      ["contracts/identity_provider_test.ts", "a code with the %s of another visit is refused"],
      ["contracts/identity_provider_test.ts", "a code is valid once, even for ten concurrent uses"],
    ),
  ),
  row(
    "10.5.2",
    2,
    "people are identified by a subject that is never reassigned",
    by(
      [
        "identity/oidc_trouble_test.ts",
        "never counts its email as verified, and identifies people by tenant and object id",
      ],
      [
        "identity/github_provider_test.ts",
        "identifies the user by number, and takes the primary email if it is verified",
      ],
    ),
  ),
  row(
    "10.5.3",
    2,
    "the metadata of another issuer is refused",
    by(["identity/oidc_trouble_test.ts", "names another issuer, refuses it"]),
  ),
  row(
    "10.5.4",
    2,
    "the audience of an ID token is verified",
    by(["identity/oidc_provider_test.ts", "refuses %s, and tells the operator"]),
  ),
  row(
    "10.5.5",
    2,
    "a logout token is checked, expires soon and counts once",
    by(
      ["identity/logout_token_test.ts", "refuses one that nobody, somebody else, or our own secret has signed"],
      [
        "identity/provider_logout_test.ts",
        "counts once: a repeated token ends no session that began meanwhile, even concurrently",
      ],
    ),
  ),
  row("10.6.1", 2, "response modes", NO_SERVER),
  row("10.6.2", 2, "forced logout", NO_SERVER),
  row("10.7.1", 2, "consent for each authorization request", NO_SERVER),
  row("10.7.2", 2, "information about what is consented to", NO_SERVER),
  row("10.7.3", 2, "withdrawal of consent", NO_SERVER),
];
