import { by, deviates, row } from "./asvs_row.ts";

/** Session management. */
export const V7 = [
  row(
    "7.1.1",
    2,
    "session lifetimes are documented",
    by(["security/document_test.ts", "state how long a session lasts and how many are allowed"]),
  ),
  row(
    "7.1.2",
    2,
    "the number of parallel sessions is documented",
    by(["security/document_test.ts", "state how long a session lasts and how many are allowed"]),
  ),
  row(
    "7.1.3",
    2,
    "federated session lifetimes are documented",
    by([
      "security/document_test.ts",
      "list the words that no password may contain, and every log-in method with its second step",
    ]),
  ),
  row(
    "7.2.1",
    1,
    "session tokens are verified on the server",
    by(
      ["identity/session_test.ts", "sessionOf() rejects a token that was never issued"],
      ["http/api_test.ts", "return the access level without a session, with a partial and with a full one"],
    ),
  ),
  row(
    "7.2.2",
    1,
    "every session has a unique token",
    by([
      "identity/verify_code_test.ts",
      "verifyCode() opens a full session under a new token, ends the partial one and verifies the email",
    ]),
  ),
  row(
    "7.2.3",
    1,
    "tokens have at least 128 random bits",
    by(["crypto_test.ts", "generates 256 random bits in base64url, never the same twice"]),
  ),
  row(
    "7.2.4",
    1,
    "signing in issues a new token and ends the old one",
    by(
      [
        "identity/verify_code_test.ts",
        "verifyCode() opens a full session under a new token, ends the partial one and verifies the email",
      ],
      [
        "identity/session_list_test.ts",
        "confirmPassword() is valid for 15 minutes, and the session continues under a new token",
      ],
      ["identity/http_sessions_test.ts", "planted by an attacker never becomes the victim's session"],
    ),
  ),
  row(
    "7.3.1",
    2,
    "sessions end after inactivity",
    by(
      ["identity/session_test.ts", "sessionOf() ends a full session after 24 idle hours"],
      ["identity/session_test.ts", "sessionOf() lets a session expire as idle if only a hidden page sends requests"],
    ),
  ),
  row(
    "7.3.2",
    2,
    "sessions have a maximum lifetime",
    by(["identity/session_test.ts", "sessionOf() ends a full session after seven days, however busy"]),
  ),
  row(
    "7.4.1",
    1,
    "an ended session grants no access",
    by(
      ["identity/session_test.ts", "logout() ends only this session, immediately"],
      ["identity/http_sessions_test.ts", "replayed after logging out is refused"],
    ),
  ),
  row(
    "7.4.2",
    1,
    "disabling or deleting an account ends its sessions",
    by(
      [
        "identity/deletion_test.ts",
        "deleteAccount() deletes the account immediately, notifies other modules, and mails a farewell",
      ],
      [
        "http/staff_test.ts",
        "a locked user is logged out, notified and refused, still monitored, and can log in again once unlocked",
      ],
    ),
  ),
  row(
    "7.4.3",
    2,
    "other sessions can be ended after a factor has changed",
    by(
      [
        "identity/profile_test.ts",
        "changePassword() ends every other session and voids codes, reset links and email change links, of this account only",
      ],
      ["identity/authenticator_test.ts", "other sessions and every pending log-in end, this session stays"],
      [
        "identity/password_reset_test.ts",
        "resetPassword() ends every session, partial or full, and voids the mailed code",
      ],
    ),
  ),
  row(
    "7.4.4",
    2,
    "every page shows how to log out",
    by(
      [
        "web/shell_test.ts",
        "the sidebar has the specification's entries, collapses to icons with tooltips, and stays so",
      ],
      ["web/navigation_test.ts", "logging out ends the session and shows the login"],
    ),
  ),
  row(
    "7.4.5",
    2,
    "the operator can end sessions",
    by(
      [
        "http/staff_test.ts",
        "a locked user is logged out, notified and refused, still monitored, and can log in again once unlocked",
      ],
      ["cli/commands_test.ts", "lock ends the session and prevents log-ins, unlock allows them"],
    ),
  ),
  row(
    "7.5.1",
    2,
    "changing authentication data requires full reauthentication",
    deviates(
      "the password is required again, the second step is not: changing the email address also requires access to the new mailbox, and changing a factor is reported by mail",
    ),
  ),
  row(
    "7.5.2",
    2,
    "people see their sessions and end them after reauthentication",
    deviates(
      "people see all their sessions and can end them without the password: ending a session can only protect, and has to be quick",
    ),
  ),
  row(
    "7.6.1",
    2,
    "coordination of sessions with the provider",
    by(
      ["identity/provider_sign_in_test.ts", "logs in once, however often the response is repeated, even concurrently"],
      ["identity/session_test.ts", "sessionOf() ends a full session after seven days, however busy"],
    ),
  ),
  row(
    "7.6.2",
    2,
    "a session is only created by an explicit action",
    by(
      ["identity/provider_http_test.ts", "providerRoutes() log nobody in with a response that an attacker initiated"],
      [
        "identity/provider_sign_in_test.ts",
        "leads a verified email to its account's second step, and links after the code",
      ],
    ),
  ),
];
