import { by, deviates, row } from "./asvs_row.ts";

/** Security logging and error handling. */
export const V16 = [
  row(
    "16.1.1",
    2,
    "a log inventory with places and retention is documented",
    by(["security/document_test.ts", "list every event and action of the logs"]),
  ),
  row(
    "16.2.1",
    2,
    "log entries state when, where, who and what",
    deviates(
      "entries of the audit log do; request lines state the route, the status and an id, but neither an account nor a network, so that the process log contains no personal data",
    ),
  ),
  row(
    "16.2.2",
    2,
    "timestamps are UTC and synchronised",
    by(
      ["log_test.ts", "writes one line of JSON with the time, the message and the details"],
      ["cli/doctor_test.ts", "a healthy one: version, size, clock, migrations, a write that leaves nothing"],
    ),
  ),
  row(
    "16.2.3",
    2,
    "logs are only written to documented places",
    by(["security/gaps_test.ts", "logs to the output of the process, and writes logs nowhere else"]),
  ),
  row(
    "16.2.4",
    2,
    "logs can be parsed and correlated",
    by(
      ["log_test.ts", "writes one line of JSON with the time, the message and the details"],
      ["telemetry/requests_test.ts", "warns about failures, and all lines of a request have its id"],
    ),
  ),
  row(
    "16.2.5",
    2,
    "logs contain no secrets",
    by(
      ["identity/activity_test.ts", "activityOf() contains no token, code, password or full address"],
      ["log_test.ts", "removes the values of a failed query from message, stack and cause"],
      ["e2e/api_examples_test.ts", "leave no token behind: neither in the log nor in the database nor in a mail"],
    ),
  ),
  row(
    "16.3.1",
    2,
    "every sign-in is logged, successful or not",
    by(
      ["identity/activity_test.ts", "activityOf() lists failed attempts by step"],
      [
        "identity/activity_test.ts",
        "activityOf() lists the beginning and completion of a log-in, and marks this session's events",
      ],
    ),
  ),
  row(
    "16.3.2",
    2,
    "failed authorization is logged",
    by(
      ["telemetry/requests_test.ts", "has one line for each, with the response's id and the pattern of its route"],
      ["identity/activity_test.ts", "activityOf() lists failed attempts by step"],
    ),
  ),
  row(
    "16.3.3",
    2,
    "attempts to bypass security controls are logged",
    by(
      ["telemetry/requests_test.ts", "has one line for each, with the response's id and the pattern of its route"],
      ["identity/activity_test.ts", "activityOf() lists the attempt that triggered a lock"],
      [
        "identity/sign_in_races_test.ts",
        "verifyCode() counts, logs and mails a lock once, however many wrong codes are concurrent",
      ],
    ),
  ),
  row(
    "16.3.4",
    2,
    "unexpected errors are logged",
    by(
      ["telemetry/requests_test.ts", "warns about failures, and all lines of a request have its id"],
      ["jobs_test.ts", "reports an error with the job's name, and the job continues"],
      [
        "notifications/channel_health_test.ts",
        "a mail server that would reject us is detected before the first mail, reported once, and recovers",
      ],
    ),
  ),
  row(
    "16.4.1",
    2,
    "log injection is prevented",
    by(
      ["log_test.ts", "leaves no line of a long message in the stack, not even one that looks like a stack frame"],
      ["log_test.ts", "writes one line of JSON with the time, the message and the details"],
    ),
  ),
  row(
    "16.4.2",
    2,
    "logs cannot be altered",
    deviates(
      "the database rejects every change and removal of an audit log entry, except for its removal after a year and the anonymisation of a person; however, Breachbell's database role owns these tables and could drop that rule",
    ),
  ),
  row(
    "16.4.3",
    2,
    "logs are sent to a separate system",
    deviates(
      "the process log goes to standard output, from which the operator's collector ships it; the audit log stays in the database, because the person it concerns may see and erase it",
    ),
  ),
  row(
    "16.5.1",
    2,
    "error messages reveal nothing internal",
    by(
      ["http/security_test.ts", "are set on %s %s (%d)"],
      ["http/reply_test.ts", "returns only the code if there is no more"],
      ["cli/commands_test.ts", "an unexpected failure is reported without the parameters of a query"],
    ),
  ),
  row(
    "16.5.2",
    2,
    "failures of external services are handled securely",
    by(
      ["flows_test.ts", "a failing source leaves the status unchanged, and the alert arrives when it recovers"],
      ["notifications/drain_test.ts", "pauses a channel that keeps failing, probes it with one message, and recovers"],
      [
        "database/server_outage_test.ts",
        "fails within the deadline on half-open connections, and recovers automatically",
      ],
    ),
  ),
  row(
    "16.5.3",
    2,
    "errors fail securely",
    by(
      ["identity/deletion_test.ts", "deleteAccount() deletes nothing and counts no attempt when the hasher is busy"],
      ["database/server_test.ts", "does not acknowledge a transaction with a swallowed statement error"],
      ["breaches/scan_trouble_test.ts", "never completes a first check on failure"],
    ),
  ),
];
