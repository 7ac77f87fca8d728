import { by, deviates, row } from "./asvs_row.ts";

/** Configuration. */
export const V13 = [
  row(
    "13.1.1",
    2,
    "whom the product speaks to is documented",
    by(["security/document_test.ts", "list every destination that the server connects to"]),
  ),
  row(
    "13.2.1",
    2,
    "services prove themselves by what does not stay the same",
    deviates(
      "the database, mail, Have I Been Pwned, Stripe and the channels know only fixed passwords and keys; those that can are held in files and renewed by the operator",
    ),
  ),
  row(
    "13.2.2",
    2,
    "services have the least rights",
    deviates(
      "the product brings its tables forward by itself, so its role in the database owns its schemas; it needs no other database, no superuser, and no write outside DATA_DIR",
    ),
  ),
  row(
    "13.2.3",
    2,
    "no default passwords",
    by(
      ["config_test.ts", "rejects every default and lists everything missing"],
      ["crypto_test.ts", "creates a secret once, in a folder and a file that only the owner can read"],
    ),
  ),
  row(
    "13.2.4",
    2,
    "requests go to a list of places",
    by(
      ["security/gaps_test.ts", "sends requests from the listed files only"],
      ["notifications/public_address_test.ts", "does not resolve local names such as %s"],
    ),
  ),
  row(
    "13.2.5",
    2,
    "the server loads from a list of places",
    by(
      ["security/gaps_test.ts", "sends requests from the listed files only"],
      ["breaches/hibp_rate_test.ts", "12.25 hibpFeed() rejects a base URL that is not https, except on this machine"],
    ),
  ),
  row(
    "13.3.1",
    2,
    "a vault keeps the secrets",
    deviates(
      "the product has no vault of its own: each secret can come by a file, as vaults hand them out; the one it makes itself lies in DATA_DIR, for its owner alone",
    ),
  ),
  row(
    "13.3.2",
    2,
    "secrets are for those who need them",
    by(
      ["crypto_test.ts", "restricts a file that others could read"],
      ["config_secrets_test.ts", "by any problem, with any values"],
      ["cli/secrets_test.ts", "shows every secret as set but not its value, as table and as JSON, valid or invalid"],
    ),
  ),
  row(
    "13.4.1",
    1,
    "nothing of version control is deployed or served",
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
  row("13.4.3", 2, "no listings of folders", by(["http/pages_test.ts", "%s is not a file"])),
  row(
    "13.4.4",
    2,
    "no TRACE",
    by(["http/api_test.ts", "an unknown path of the API is not found, and other methods are not allowed"]),
  ),
  row(
    "13.4.5",
    2,
    "documents and figures are shown where that is meant",
    by(
      ["telemetry/metrics_test.ts", "on the website's port requires the token"],
      ["http/staff_test.ts", "are not in the public OpenAPI document"],
      ["cli/doctor_test.ts", "without the secret the doctor's route reveals nothing"],
    ),
  ),
];
