import type { Content } from "../../src/notifications/messages/content.ts";
import { type SecurityTemplate, securityContent } from "../../src/notifications/messages/security_message.ts";
import type { Translate } from "../../src/notifications/ports.ts";
import type { Language } from "../../src/shared/language.ts";
import { translate } from "./post_office.ts";

export const AT = "2026-11-20T23:07:00Z";
export const CHANGES = [
  "authenticator_added",
  "authenticator_removed",
  "passkey_added",
  "passkey_removed",
  "recovery_codes_made",
  "recovery_code_used",
  "provider_linked",
  "provider_unlinked",
  "api_token_created",
];
const WATCHERS = "Alice Keller\na…@example.org\nBob Meyer\nb…@example.net";
const DETAILS: Record<string, Record<string, string>> = {
  passkey_added: { name: "Alice’s phone" },
  passkey_removed: { name: "Alice’s phone" },
  api_token_created: { name: "Backup of the alerts" },
  recovery_code_used: { left: "7" },
  provider_linked: { provider: "microsoft" },
  provider_unlinked: { provider: "microsoft" },
};

/** A mail rendered for `language`, with the secret "abc". */
export function securityMail(
  template: SecurityTemplate,
  params: Record<string, string>,
  language: Language = "en",
  words: Translate = translate,
): Content {
  return securityContent(template, {
    params,
    token: () => "abc",
    language,
    translate: words,
    publicUrl: "https://breachbell.example",
    supportEmail: "help@breachbell.example",
  });
}

/** Every security mail by name; those with gaps lack all optional data. */
export function securityMailsIn(language: Language, words: Translate = translate): Record<string, Content> {
  const mail = (template: SecurityTemplate, params: Record<string, string>) =>
    securityMail(template, params, language, words);
  const changes = CHANGES.map((change): [string, Content] => [
    change,
    mail("security_changed", { change, at: AT, ...DETAILS[change] }),
  ]);
  return {
    passwordReset: mail("password_reset", { minutes: "60" }),
    passwordChanged: mail("password_changed", { changedAt: AT }),
    passwordChangedHere: mail("password_changed", { changedAt: AT, loggedOut: "others" }),
    passwordChangedWithTokens: mail("password_changed", {
      changedAt: AT,
      loggedOut: "all",
      tokens: "Backup\nHome server",
    }),
    newSignIn: mail("new_sign_in", { at: AT, browser: "Firefox", system: "Windows", ipPrefix: "203.0.113.0/24" }),
    newSignInWithGaps: mail("new_sign_in", { at: AT, ipPrefix: "" }),
    codeLocked: mail("code_locked", { at: AT }),
    emailChange: mail("email_change", { firstName: "Alice", account: "a…@example.org", hours: "24" }),
    emailChanged: mail("email_changed", { at: AT, to: "a…@new.example", formerAddress: "ask" }),
    emailChangedAndStopped: mail("email_changed", { at: AT, to: "a…@new.example", formerAddress: "end" }),
    accountDeleted: mail("account_deleted", { at: AT, grants: "ended" }),
    accountDeletedWithGrants: mail("account_deleted", { at: AT, grants: "kept", watchers: WATCHERS, more: "0" }),
    accountDeletedWithManyGrants: mail("account_deleted", { at: AT, grants: "ended", watchers: WATCHERS, more: "7" }),
    accountLocked: mail("account_locked", { at: AT }),
    accountUnlocked: mail("account_unlocked", { at: AT }),
    accountFactorsReset: mail("account_factors_reset", { at: AT }),
    accountResetLink: mail("account_reset_link", { at: AT, minutes: "60" }),
    accountRemoved: mail("account_removed", { at: AT }),
    ...Object.fromEntries(changes),
  };
}
