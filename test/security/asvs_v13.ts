import { by, deviates, row } from "./asvs_row.ts";

/** Configuration. */
export const V13 = [
  row(
    "13.1.1",
    2,
    "communication partners are documented",
    by(["security/document_test.ts", "list every destination that the server connects to"]),
  ),
  row(
    "13.2.1",
    2,
    "services authenticate with short-lived credentials",
    deviates(
      "the database, mail, Have I Been Pwned, Stripe and the channels only support static passwords and keys; they can be kept in files, and the operator rotates them",
    ),
  ),
  row(
    "13.2.2",
    2,
    "services have least privilege",
    deviates(
      "Breachbell migrates its own tables, so its database role owns its schemas; it needs no other database, no superuser, and no write access outside DATA_DIR",
    ),
  ),
  row(
    "13.2.3",
    2,
    "no default passwords",
    by(
      ["config_test.ts", "rejects every default and lists everything missing"],
      ["crypto_test.ts", "is created once, in a folder and a file that only the owner can read"],
    ),
  ),
  row(
    "13.2.4",
    2,
    "outbound requests go to allow-listed destinations",
    by(
      ["security/gaps_test.ts", "sends requests from the listed files only"],
      ["outbound/public_address_test.ts", "does not resolve local names such as %s"],
    ),
  ),
  row(
    "13.2.5",
    2,
    "the server loads resources from allow-listed places only",
    by(
      ["security/gaps_test.ts", "sends requests from the listed files only"],
      ["breaches/hibp_rate_test.ts", "12.25 hibpFeed() rejects a base URL that is not https, except on this machine"],
    ),
  ),
  row(
    "13.3.1",
    2,
    "secrets are kept in a vault",
    deviates(
      "Breachbell has no vault of its own: every secret can be read from a file, which is how vaults provide them; the one that it generates is in DATA_DIR, readable by its owner only",
    ),
  ),
  row(
    "13.3.2",
    2,
    "access to secrets follows least privilege",
    by(
      ["database/private_directory_test.ts", "restricts an existing directory and its contents to its owner"],
      ["config_secrets_test.ts", "by any problem, with any values"],
      ["cli/secrets_test.ts", "shows every secret as set but not its value, as table and as JSON, valid or invalid"],
    ),
  ),
  row(
    "13.4.1",
    1,
    "no version control metadata is deployed or served",
    by(
      ["container/dockerfile_test.ts", "passes neither history, secrets, tests nor other build output to the build"],
      ["http/pages_test.ts", "%s is not a file"],
    ),
  ),
  row(
    "13.4.2",
    2,
    "no debugging in production",
    by(
      ["config_test.ts", "rejects every default and lists everything missing"],
      ["notifications/mailbox_test.ts", "return 404 for other machines"],
    ),
  ),
  row("13.4.3", 2, "no directory listings", by(["http/pages_test.ts", "%s is not a file"])),
  row(
    "13.4.4",
    2,
    "no TRACE",
    by(["http/api_test.ts", "an unknown path of the API is not found, and other methods are not allowed"]),
  ),
  row(
    "13.4.5",
    2,
    "documentation and metrics are only exposed on purpose",
    by(
      ["telemetry/metrics_test.ts", "on the website's port requires the token"],
      ["http/staff_test.ts", "are not in the public OpenAPI document"],
      ["cli/doctor_test.ts", "without the secret the doctor's route reveals nothing"],
    ),
  ),
];
