import { by, deviates, none, row } from "./asvs_row.ts";

const BY_PROXY = none(
  "Breachbell speaks plain http behind the operator's proxy, which terminates TLS: see the checklist in docs/security/threat_model.md",
);

/** Secure communication. */
export const V12 = [
  row("12.1.1", 1, "TLS versions", BY_PROXY),
  row("12.1.2", 2, "cipher suites", BY_PROXY),
  row("12.1.3", 2, "client certificates", none("nobody signs in with a certificate")),
  row(
    "12.2.1",
    1,
    "browsers connect over https only",
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
    "all outbound connections are encrypted",
    deviates(
      "connections to mail, sources, channels, payment and providers are; for a database server its URL decides (`sslmode=verify-full`), because it usually runs next to Breachbell",
    ),
  ),
  row(
    "12.3.2",
    2,
    "server certificates are verified",
    by(
      ["contracts/sender_faults_test.ts", "rejects an untrusted certificate, and sends nothing"],
      [
        "notifications/webhook_test.ts",
        "send() requires a certificate for the name, not just one of a trusted authority",
      ],
    ),
  ),
  row(
    "12.3.3",
    2,
    "TLS between internal services",
    none("there is one program; its processes communicate through the database only"),
  ),
  row(
    "12.3.4",
    2,
    "certificates of internal services",
    none("there is one program; its processes communicate through the database only"),
  ),
];
