import { by, deviates, row } from "./asvs_row.ts";

/** Authentication: documentation, passwords, and requirements for every log-in method. */
export const V6 = [
  row(
    "6.1.1",
    1,
    "the defence against guessing, and how it avoids locking owners out, is documented",
    by(["security/document_test.ts", "state the limits for log-ins and requests, with the figures of the code"]),
  ),
  row(
    "6.1.2",
    2,
    "words forbidden in passwords are documented",
    by([
      "security/document_test.ts",
      "list the words that no password may contain, and every log-in method with its second step",
    ]),
  ),
  row(
    "6.1.3",
    2,
    "all ways to authenticate are documented",
    by([
      "security/document_test.ts",
      "list the words that no password may contain, and every log-in method with its second step",
    ]),
  ),
  row(
    "6.2.1",
    1,
    "passwords have at least eight characters",
    by(["identity/inputs_test.ts", "passwordRules() lists what %p lacks"]),
  ),
  row(
    "6.2.2",
    1,
    "people can change their password",
    by([
      "identity/profile_test.ts",
      "changePassword() changes the password and renews this session, whose old token is void",
    ]),
  ),
  row(
    "6.2.3",
    1,
    "changing the password requires the current one",
    deviates(
      "the current password is required unless it was entered in this session, at sign-in or later, within the last 15 minutes; the form itself only takes the new one",
    ),
  ),
  row(
    "6.2.4",
    1,
    "the 3,000 most common passwords are refused",
    by(
      ["identity/password_test.ts", "isCommon() rejects every entry of the list that capitals make valid"],
      ["identity/password_test.ts", "commonPasswords() matches the list's package"],
    ),
  ),
  row(
    "6.2.5",
    1,
    "passwords may use any composition of characters",
    deviates("the specification requires a lower-case letter, an upper-case letter and a digit"),
  ),
  row(
    "6.2.6",
    1,
    "the password field masks what is typed",
    by(["security/gaps_test.ts", "hides password fields, and lets password managers fill and paste them"]),
  ),
  row(
    "6.2.7",
    1,
    "pasting and password managers are allowed",
    by(["security/gaps_test.ts", "hides password fields, and lets password managers fill and paste them"]),
  ),
  row(
    "6.2.8",
    1,
    "the password is verified exactly as typed",
    deviates(
      "nothing is truncated or case-folded, but characters are first normalised to Unicode NFKC, as NIST SP 800-63B advises; otherwise an é typed on one keyboard would differ from an é typed on another",
    ),
  ),
  row(
    "6.2.9",
    2,
    "passwords of 64 characters are allowed",
    by(["identity/password_hasher_test.ts", "verify() uses all 128 characters"]),
  ),
  row("6.2.10", 2, "passwords do not expire", by(["security/gaps_test.ts", "has no password expiry"])),
  row(
    "6.2.11",
    2,
    "context-specific words are refused",
    by(
      ["identity/password_test.ts", "isCommon() finds %p"],
      ["identity/password_test.ts", "isSimilar() rejects whatever contains the value and little else, also long texts"],
    ),
  ),
  row(
    "6.2.12",
    2,
    "passwords known from breaches are refused",
    deviates(
      "22,126 passwords from leaked lists, with their variants, are refused locally; checking the whole corpus would mean sending a third party information about each new password, or storing 30 GB with each installation",
    ),
  ),
  row(
    "6.3.1",
    1,
    "the documented defence against guessing is in effect",
    by(
      [
        "identity/login_test.ts",
        "login() locks an IP address for an hour after ten wrong passwords, for every account",
      ],
      ["identity/login_test.ts", "login() evaluates ten of 200 concurrent wrong passwords"],
      [
        "identity/locks_test.ts",
        "login() lets it in while other people's attempts have locked the account, from anywhere or from its own address",
      ],
    ),
  ),
  row(
    "6.3.2",
    1,
    "there are no default accounts",
    by(["security/gaps_test.ts", "has no account before somebody registers"]),
  ),
  row(
    "6.3.3",
    2,
    "a second factor is always required",
    by(
      ["security/route_guards_test.ts", "refuses requests without a session and with a partial one: %s"],
      ["identity/login_test.ts", "login() opens a partial session and mails a code in the account's language"],
    ),
  ),
  row(
    "6.3.4",
    2,
    "no way to authenticate is weaker than the others",
    by(
      [
        "identity/provider_sign_in_test.ts",
        "recognises a linked identity whatever its current email, and still asks for the code",
      ],
      ["http/token_matrix_test.ts", "accepts a token with its scope, and no others"],
    ),
  ),
];
