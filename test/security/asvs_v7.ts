import { by, deviates, row } from "./asvs_row.ts";

/** Session management. */
export const V7 = [
  row(
    "7.1.1",
    2,
    "how long sessions last is documented",
    by(["security/document_test.ts", "says how long a session lasts and how many there may be"]),
  ),
  row(
    "7.1.2",
    2,
    "how many sessions there may be is documented",
    by(["security/document_test.ts", "says how long a session lasts and how many there may be"]),
  ),
  row(
    "7.1.3",
    2,
    "sessions elsewhere are documented",
    by(["security/document_test.ts", "names the words that no password may be, and every way in with its second step"]),
  ),
  row(
    "7.2.1",
    1,
    "the server decides about each token",
    by(
      ["identity/session_test.ts", "sessionOf() knows nobody by a token that was never given out"],
      ["http/api_test.ts", "tell the level of nobody, of somebody half way in, and of somebody signed in"],
    ),
  ),
  row(
    "7.2.2",
    1,
    "each session has a token of its own",
    by([
      "identity/verify_code_test.ts",
      "verifyCode() opens a full session under a new token, ends the old one and proves the email",
    ]),
  ),
  row(
    "7.2.3",
    1,
    "tokens have 128 random bits at least",
    by(["crypto_test.ts", "gives 256 random bits in base64url, never the same twice"]),
  ),
  row(
    "7.2.4",
    1,
    "signing in gives a new token and ends the old one",
    by(
      [
        "identity/verify_code_test.ts",
        "verifyCode() opens a full session under a new token, ends the old one and proves the email",
      ],
      [
        "identity/session_list_test.ts",
        "confirmPassword() speaks for 15 minutes, and the session goes on under a new token",
      ],
      ["identity/http_sessions_test.ts", "that an attacker planted never becomes the victim's session"],
    ),
  ),
  row(
    "7.3.1",
    2,
    "an idle session ends",
    by(
      ["identity/session_test.ts", "sessionOf() ends a full session after 24 idle hours"],
      ["identity/session_test.ts", "sessionOf() lets a session grow idle that only a page out of sight asks for"],
    ),
  ),
  row(
    "7.3.2",
    2,
    "every session ends",
    by(["identity/session_test.ts", "sessionOf() ends a full session after seven days, however busy"]),
  ),
  row(
    "7.4.1",
    1,
    "what has ended opens nothing",
    by(
      ["identity/session_test.ts", "logout() ends this session at once, and no other"],
      ["identity/http_sessions_test.ts", "of a session that was replayed after signing out opens nothing"],
    ),
  ),
  row(
    "7.4.2",
    1,
    "sessions end with the account",
    by(
      [
        "identity/deletion_test.ts",
        "deleteAccount() ends the account at once, tells other modules, and says good-bye to its mailbox",
      ],
      [
        "http/staff_test.ts",
        "a locked person is signed out, told and refused, is watched on, and comes in again once unlocked",
      ],
    ),
  ),
  row(
    "7.4.3",
    2,
    "other sessions can be ended when a factor changes",
    by(
      [
        "identity/profile_test.ts",
        "changePassword() ends every other session, codes, reset links and a new email's link; nobody else's",
      ],
      ["identity/authenticator_test.ts", "other sessions and every sign-in under way end, this session stays"],
      [
        "identity/password_reset_test.ts",
        "resetPassword() ends every session, partial or full, and the code that is on its way",
      ],
    ),
  ),
  row(
    "7.4.4",
    2,
    "logging out is in sight on every page",
    by(
      [
        "web/shell_test.ts",
        "the sidebar has the specification's entries, becomes icons with their words beside them, and stays so",
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
        "a locked person is signed out, told and refused, is watched on, and comes in again once unlocked",
      ],
      ["cli/commands_test.ts", "lock ends the session and shuts the door, unlock opens it"],
    ),
  ),
  row(
    "7.5.1",
    2,
    "what signing in depends on asks for a whole sign-in again",
    deviates(
      "the password is asked for again, the second step is not: whoever changes the email needs the new mailbox besides, whoever changes a factor is told by mail",
    ),
  ),
  row(
    "7.5.2",
    2,
    "sessions are listed, and ended after another proof",
    deviates(
      "people see and end all their sessions, without typing the password: ending one can only protect, and has to be quick",
    ),
  ),
  row(
    "7.6.1",
    2,
    "sessions here and at the provider",
    by(
      [
        "identity/provider_sign_in_test.ts",
        "signs in once, however often the same answer comes, also at the same moment",
      ],
      ["identity/session_test.ts", "sessionOf() ends a full session after seven days, however busy"],
    ),
  ),
  row(
    "7.6.2",
    2,
    "nobody is signed in without wanting it",
    by(
      ["identity/provider_http_test.ts", "providerRoutes() signs nobody in with the answer that an attacker began"],
      [
        "identity/provider_sign_in_test.ts",
        "leads a verified email to its account's second step, and links after the code",
      ],
    ),
  ),
];
