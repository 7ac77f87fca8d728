import { by, deviates, row } from "./asvs_row.ts";

/** Authentication: documentation, passwords, and requirements for every log-in method. */
export const V6 = [
  row(
    "6.1.1",
    1,
    "the defence against guessing is documented, and how it locks nobody out",
    by(["security/document_test.ts", "state the limits for log-ins and requests, with the figures of the code"]),
  ),
  row(
    "6.1.2",
    2,
    "words that no password may be are documented",
    by([
      "security/document_test.ts",
      "list the words that no password may contain, and every log-in method with its second step",
    ]),
  ),
  row(
    "6.1.3",
    2,
    "all ways in are documented",
    by([
      "security/document_test.ts",
      "list the words that no password may contain, and every log-in method with its second step",
    ]),
  ),
  row("6.2.1", 1, "eight characters at least", by(["identity/inputs_test.ts", "passwordRules() lists what %p lacks"])),
  row(
    "6.2.2",
    1,
    "a password can be changed",
    by([
      "identity/profile_test.ts",
      "changePassword() changes the password and renews this session, whose old token is void",
    ]),
  ),
  row(
    "6.2.3",
    1,
    "changing it asks for the old one",
    deviates(
      "the old password is asked for unless it was typed in this session within the last 15 minutes, signing in included; the form itself takes the new one alone",
    ),
  ),
  row(
    "6.2.4",
    1,
    "the 3,000 most common are refused",
    by(
      ["identity/password_test.ts", "isCommon() rejects every entry of the list that capitals make valid"],
      ["identity/password_test.ts", "commonPasswords() matches the list's package"],
    ),
  ),
  row(
    "6.2.5",
    1,
    "any mix of characters is good",
    deviates("the specification demands a lower-case letter, an upper-case letter and a digit"),
  ),
  row(
    "6.2.6",
    1,
    "the field hides what is typed",
    by(["security/gaps_test.ts", "hides password fields, and lets password managers fill and paste them"]),
  ),
  row(
    "6.2.7",
    1,
    "pasting and password managers work",
    by(["security/gaps_test.ts", "hides password fields, and lets password managers fill and paste them"]),
  ),
  row(
    "6.2.8",
    1,
    "the password counts as it was typed",
    deviates(
      "nothing is cut or folded, but the characters are brought into Unicode's NFKC form first, as NIST SP 800-63B advises: else one keyboard's é is not another one's",
    ),
  ),
  row(
    "6.2.9",
    2,
    "64 characters are possible",
    by(["identity/password_hasher_test.ts", "verify() uses all 128 characters"]),
  ),
  row("6.2.10", 2, "passwords do not expire", by(["security/gaps_test.ts", "has no password expiry"])),
  row(
    "6.2.11",
    2,
    "words of the context are refused",
    by(
      ["identity/password_test.ts", "isCommon() finds %p"],
      ["identity/password_test.ts", "isSimilar() rejects whatever contains the value, also in long texts"],
    ),
  ),
  row(
    "6.2.12",
    2,
    "passwords known from breaches are refused",
    deviates(
      "22,126 passwords from leaked lists, with their variants, are refused on this machine; the whole corpus would mean to tell a third party of each new password, or 30 GB beside each installation",
    ),
  ),
  row(
    "6.3.1",
    1,
    "guessing is stopped as documented",
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
    "no account is there from the start",
    by(["security/gaps_test.ts", "has no account before somebody registers"]),
  ),
  row(
    "6.3.3",
    2,
    "a second step is always taken",
    by(
      ["security/route_guards_test.ts", "refuses requests without a session and with a partial one: %s"],
      ["identity/login_test.ts", "login() opens a partial session and mails a code in the account's language"],
    ),
  ),
  row(
    "6.3.4",
    2,
    "no way in is weaker than the others",
    by(
      [
        "identity/provider_sign_in_test.ts",
        "recognises a linked identity whatever its current email, and still asks for the code",
      ],
      ["http/token_matrix_test.ts", "accepts a token with its scope, and no others"],
    ),
  ),
];
