import { type ConsentTemplate, consentContent } from "../../src/notifications/messages/consent_message.ts";
import type { Content } from "../../src/notifications/messages/content.ts";
import type { Translate } from "../../src/notifications/ports.ts";
import type { Language } from "../../src/shared/language.ts";
import { translate } from "./post_office.ts";

export const UNTIL = new Date("2026-11-29T12:30:00Z");
export const ADDRESS = "bob@home.example";
const NAME = "Alice Meyer";

/** A mail rendered for `language`, with the secret "abc". */
export function consentMail(
  template: ConsentTemplate,
  params: Record<string, string>,
  language: Language = "en",
  words: Translate = translate,
): Content {
  const token = () => "abc";
  const publicUrl = "https://breachbell.example";
  return consentContent(template, { params, token, until: UNTIL, language, translate: words, publicUrl });
}

/** The published event of each mail. */
export const PARAMS: Record<string, [ConsentTemplate, Record<string, string>]> = {
  invitation: ["invitation", { inviterName: NAME, address: ADDRESS, days: "7" }],
  reminder: ["invitation_reminder", { inviterName: NAME, address: ADDRESS, days: "5", reminder: "1" }],
  lastReminder: ["invitation_reminder", { inviterName: NAME, address: ADDRESS, days: "1", reminder: "2" }],
  addressConfirmation: [
    "address_confirmation",
    { address: ADDRESS, accountName: NAME, accountEmail: "a…@example.org" },
  ],
  aliasConfirmation: ["alias_confirmation", { address: ADDRESS, accountName: NAME, accountEmail: "a…@example.org" }],
  accepted: ["consent_answered", { answer: "accepted", address: ADDRESS, details: "yes" }],
  acceptedWithoutDetails: ["consent_answered", { answer: "accepted", address: ADDRESS, details: "no" }],
  declined: ["consent_answered", { answer: "declined", address: ADDRESS, details: "no" }],
  withdrawn: ["consent_answered", { answer: "withdrawn", address: ADDRESS, details: "no" }],
  unanswered: ["consent_answered", { answer: "expired", address: ADDRESS, details: "no" }],
  given: ["consent_given", { inviterName: NAME, address: ADDRESS, details: "yes" }],
  givenWithoutDetails: ["consent_given", { inviterName: NAME, address: ADDRESS, details: "no" }],
  suspended: ["watching_stopped", { inviterName: NAME, address: ADDRESS, reason: "plan" }],
  stopped: ["watching_stopped", { inviterName: NAME, address: ADDRESS, reason: "stopped" }],
  resumed: ["watching_resumed", { inviterName: NAME, address: ADDRESS, reason: "plan" }],
};

/** Every consent mail by name. */
export function consentMailsIn(language: Language, words: Translate = translate): Record<string, Content> {
  return Object.fromEntries(
    Object.entries(PARAMS).map(([name, [template, params]]) => [name, consentMail(template, params, language, words)]),
  );
}
