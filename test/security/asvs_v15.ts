import { by, deviates, row } from "./asvs_row.ts";

/** Secure coding and architecture. */
export const V15 = [
  row(
    "15.1.1",
    1,
    "time limits for updating vulnerable packages are documented",
    by(["security/document_test.ts", "state within how many days a vulnerable package is replaced"]),
  ),
  row(
    "15.1.2",
    2,
    "all packages are listed with their origin (SBOM)",
    by(
      ["container/supply_chain_test.ts", "names each shipped package once, and everything that is needed"],
      ["container/supply_chain_test.ts", "comes from the registry, with the integrity hash of the lockfile"],
    ),
  ),
  row(
    "15.1.3",
    2,
    "expensive operations are documented",
    by(["security/document_test.ts", "list expensive operations and their limits"]),
  ),
  row(
    "15.2.1",
    1,
    "no package exceeds the documented update limits",
    deviates(
      "every package is pinned and updated by hand: `bun audit` checks for known vulnerabilities before a release rather than in a test, because the tests run without a network",
    ),
  ),
  row(
    "15.2.2",
    2,
    "expensive operations cannot exhaust the service",
    by(
      [
        "identity/password_hasher_test.ts",
        "hash() runs two concurrently, queues 32 and returns BUSY to the rest immediately",
      ],
      [
        "notifications/fairness_test.ts",
        "thousands of alerts of one account delay another account's alert by no more than those in progress",
      ],
      ["http/service_status_test.ts", "checks once in ten seconds, for any number of concurrent requests"],
    ),
  ),
  row(
    "15.2.3",
    2,
    "production contains no unneeded code",
    by(
      ["container/image_content_test.ts", "is what runs, and nothing of the development tools"],
      ["config_test.ts", "rejects every default and lists everything missing"],
      ["notifications/mailbox_test.ts", "return 404 for other machines"],
    ),
  ),
  row(
    "15.3.1",
    1,
    "responses contain only the needed fields",
    by(
      ["identity/profile_test.ts", "showProfile() returns the account's details, and none of its secrets"],
      ["identity/session_test.ts", "profileOf() returns what the profile screen shows, and no hash"],
      ["export_flow_test.ts", "contains no secret, and nobody else's data"],
    ),
  ),
  row(
    "15.3.2",
    2,
    "redirects of backend requests are not followed",
    by(
      ["notifications/webhook_test.ts", "send() reveals nothing of the response, nor of a redirect's target"],
      ["security/gaps_test.ts", "sends requests from the listed files only"],
    ),
  ),
  row(
    "15.3.3",
    2,
    "mass assignment is prevented",
    by(
      ["http/api_test.ts", "unknown fields are rejected, and nothing is stored"],
      ["tracking/inputs_test.ts", "rejects the unknown key %s"],
    ),
  ),
  row(
    "15.3.4",
    2,
    "the client's address is determined correctly",
    by(
      ["http/client_ip_test.ts", "does not depend on anything that the client writes into the header"],
      [
        "cli/doctor_test.ts",
        "an undeclared proxy makes everybody one visitor; a declared one without a header is reported",
      ],
    ),
  ),
  row(
    "15.3.5",
    2,
    "variable types are checked",
    by(
      ["http/body_test.ts", "json() rejects %s, which is no object"],
      ["identity/provider_http_test.ts", "providerRoutes() reject %s with %j"],
    ),
  ),
  row(
    "15.3.6",
    2,
    "prototype pollution is prevented",
    by(
      ["tracking/inputs_test.ts", "rejects the unknown key %s"],
      ["http/body_test.ts", "names unknown fields, including those that every object has"],
      ["http/pages_test.ts", "%s is not a file"],
    ),
  ),
  row(
    "15.3.7",
    2,
    "parameter pollution is prevented",
    by(["breaches/alerts_http_test.ts", "refuse %s %s"], ["http/body_test.ts", "query() rejects like json()"]),
  ),
];
