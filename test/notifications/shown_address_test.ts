import { describe, expect, test } from "bun:test";
import { layOut } from "../../src/notifications/adapters/channels/email/email_layout.ts";
import { alertContent } from "../../src/notifications/messages/alert_message.ts";
import type { Content } from "../../src/notifications/messages/content.ts";
import { worseContent } from "../../src/notifications/messages/escalation_message.ts";
import { severalContent } from "../../src/notifications/messages/grouped_message.ts";
import { reportContent } from "../../src/notifications/messages/report_message.ts";
import { summaryContent } from "../../src/notifications/messages/summary_message.ts";
import { supportContent } from "../../src/notifications/messages/support_message.ts";
import { consentMail } from "./consent_mails.ts";
import { change, worst } from "./every_message.ts";
import { translate } from "./post_office.ts";
import { securityMail } from "./security_mails.ts";

const TYPED = "grete@münchen-post.example";
const STORED = "grete@xn--mnchen-post-thb.example";

const publicUrl = "https://breachbell.example";
const now = new Date("2026-03-02T08:00:00Z");
const words = { translate, language: "de", publicUrl } as const;
const options = { ...words, stopUrl: `${publicUrl}/de/manage-contact#t=stop`, sources: ["hibp"], now };
const facts = { ...worst, address: STORED };
const hidden = { ...facts, breach: null };
const month = {
  month: "2026-02",
  facts: {
    watched: 1,
    addresses: [{ address: STORED, pending: 1, checkedAt: now }],
    found: 1,
    handled: 2,
    pending: 1,
    lateSince: undefined,
  },
  troubled: [],
};
const ticket = { reference: "BB-7K3F-92QX", kind: "ticket", type: "technical", priority: "high", language: "de" };
const consent = { inviterName: "Alice Meyer", address: STORED };

const MESSAGES: Record<string, () => Content> = {
  "an alert": () => alertContent(facts, options),
  "an alert without details": () => alertContent(hidden, options),
  "a worsened alert": () => worseContent(facts, change, options),
  "a report": () => reportContent(STORED, [facts, hidden], options),
  "several alerts": () => severalContent("alerts", [facts, hidden], options),
  "a digest": () => severalContent("digest", [hidden, hidden], options),
  "the monthly summary": () => summaryContent(month, options),
  "an invitation": () => consentMail("invitation", { ...consent, days: "7" }, "de"),
  "a change of email": () => securityMail("email_changed", { at: now.toISOString(), to: STORED }, "de"),
  "the watchers of a deleted account": () =>
    securityMail("account_deleted", {
      at: now.toISOString(),
      grants: "ended",
      watchers: `Grete\n${STORED}`,
      more: "0",
    }),
  "a ticket": () =>
    supportContent("ticket_filed", { ...words, params: ticket, written: (name) => (name === "email" ? STORED : "x") }),
};

describe("an international address", () => {
  test.each(Object.keys(MESSAGES))("appears in %s as it was typed", (name) => {
    const content = MESSAGES[name]?.();
    if (content === undefined) throw new Error(`There is no message "${name}"`);
    const { text, html } = layOut(content);
    const all = [content.subject, content.preview, text, html.replaceAll(/<[^>]*>|\u200b/g, "")].join("\n");
    expect(all).toContain(TYPED);
    expect(all).not.toContain("xn--");
  });
});
