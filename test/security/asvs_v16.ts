import { by, deviates, row } from "./asvs_row.ts";

/** Security logging and error handling. */
export const V16 = [
  row(
    "16.1.1",
    2,
    "what is logged, where and for how long is documented",
    by(["security/document_test.ts", "list every event and action of the logs"]),
  ),
  row(
    "16.2.1",
    2,
    "an entry says when, where, who and what",
    deviates(
      "entries of the audit log do; lines about requests name the route, the status and an id, but neither an account nor a network, so that the log of the process holds nothing personal",
    ),
  ),
  row(
    "16.2.2",
    2,
    "times are UTC, from one clock",
    by(
      ["log_test.ts", "writes one line of JSON with the time, the message and the details"],
      ["cli/doctor_test.ts", "a healthy one: version, size, clock, migrations, a write that leaves nothing"],
    ),
  ),
  row(
    "16.2.3",
    2,
    "logs go where the document says",
    by(["security/gaps_test.ts", "logs to the output of the process, and writes logs nowhere else"]),
  ),
  row(
    "16.2.4",
    2,
    "logs can be read and put together by machines",
    by(
      ["log_test.ts", "writes one line of JSON with the time, the message and the details"],
      ["telemetry/requests_test.ts", "warns about failures, and all lines of a request have its id"],
    ),
  ),
  row(
    "16.2.5",
    2,
    "logs hold no secret",
    by(
      ["identity/activity_test.ts", "activityOf() contains no token, code, password or full address"],
      ["log_test.ts", "removes the values of a failed query from message, stack and cause"],
      ["e2e/api_examples_test.ts", "leave no token behind: neither in the log nor in the database nor in a mail"],
    ),
  ),
  row(
    "16.3.1",
    2,
    "each sign-in is logged, good or bad",
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
    "refused requests are logged",
    by(
      ["telemetry/requests_test.ts", "has one line for each, with the response's id and the pattern of its route"],
      ["identity/activity_test.ts", "activityOf() lists failed attempts by step"],
    ),
  ),
  row(
    "16.3.3",
    2,
    "attempts to get round a control are logged",
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
    "nothing that is logged can look like another entry",
    by(
      ["log_test.ts", "leaves no line of a long message in the stack, not even one that looks like a stack frame"],
      ["log_test.ts", "writes one line of JSON with the time, the message and the details"],
    ),
  ),
  row(
    "16.4.2",
    2,
    "logs cannot be changed",
    deviates(
      "the database refuses whatever changes or removes an entry of the audit log, but for its end after a year and the forgetting of a person; the role that the product connects as owns these tables, though, and could drop that rule",
    ),
  ),
  row(
    "16.4.3",
    2,
    "logs leave the machine",
    deviates(
      "the log of the process is standard output, which the operator's collector takes away; the audit log stays in the database, as its owner may see and erase it",
    ),
  ),
  row(
    "16.5.1",
    2,
    "errors tell people nothing of the inside",
    by(
      ["http/security_test.ts", "are set on %s %s (%d)"],
      ["http/reply_test.ts", "returns only the code if there is no more"],
      ["cli/commands_test.ts", "an unexpected failure is reported without the parameters of a query"],
    ),
  ),
  row(
    "16.5.2",
    2,
    "the product stays safe while others are out of order",
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
    "an error opens no door",
    by(
      ["identity/deletion_test.ts", "deleteAccount() deletes nothing and counts no attempt when the hasher is busy"],
      ["database/server_test.ts", "does not acknowledge a transaction with a swallowed statement error"],
      ["breaches/scan_trouble_test.ts", "never completes a first check on failure"],
    ),
  ),
];
