import { by, deviates, none, row } from "./asvs_row.ts";

const BY_PROXY = none(
  "the product speaks plain http behind the operator's proxy, which ends TLS: see the checklist in docs/security/threat_model.md",
);

/** Secure communication. */
export const V12 = [
  row("12.1.1", 1, "versions of TLS", BY_PROXY),
  row("12.1.2", 2, "cipher suites", BY_PROXY),
  row("12.1.3", 2, "client certificates", none("nobody signs in by a certificate")),
  row(
    "12.2.1",
    1,
    "people come by https alone",
    by(
      ["config_test.ts", "%s=%j"],
      ["http/security_test.ts", "are set on %s %s (%d)"],
      ["identity/http_test.ts", "identityRoutes() set every protection on the cookie"],
    ),
  ),
  row("12.2.2", 1, "publicly trusted certificates", BY_PROXY),
  row(
    "12.3.1",
    2,
    "all connections are encrypted",
    deviates(
      "mail, sources, channels, payment and providers are; whether the connection to a database server is, its address decides (`sslmode=verify-full`), as it mostly lies beside the product",
    ),
  ),
  row(
    "12.3.2",
    2,
    "certificates of others are checked",
    by(
      ["contracts/sender_faults_test.ts", "rejects an untrusted certificate, and sends nothing"],
      [
        "notifications/webhook_test.ts",
        "send() requires a certificate for the name, not just one of a trusted authority",
      ],
    ),
  ),
  row("12.3.3", 2, "TLS between services inside", none("one program; its processes meet in the database only")),
  row("12.3.4", 2, "certificates of services inside", none("one program; its processes meet in the database only")),
];
