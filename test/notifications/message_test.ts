import { describe, expect, test } from "bun:test";
import { layOut } from "../../src/notifications/adapters/channels/email/email_layout.ts";
import { alertContent } from "../../src/notifications/messages/alert_message.ts";
import { worseContent } from "../../src/notifications/messages/escalation_message.ts";
import { codeContent, confirmationContent, plainName } from "../../src/notifications/messages/message.ts";
import { reportContent } from "../../src/notifications/messages/report_message.ts";
import {
  type AlertFacts,
  BREACH_FLAGS,
  type BreachFacts,
  dataClassKey,
  SOURCE_FLAGS,
} from "../../src/shared/breach.ts";
import type { BreachChange } from "../../src/shared/breach_change.ts";
import { LANGUAGES, type Language, localeOf } from "../../src/shared/language.ts";
import { consentMailsIn } from "./consent_mails.ts";
import { adobe, translate } from "./post_office.ts";
import { securityMailsIn } from "./security_mails.ts";

const publicUrl = "https://breachbell.example";
const ADDRESS = "alice@home.example";

function facts(breach: Partial<BreachFacts> = {}): AlertFacts {
  return {
    alertId: "a1",
    associationId: "home",
    accountId: "alice",
    address: ADDRESS,
    state: "pending",
    version: 1,
    raisedAt: "2026-03-02T08:00:00Z",
    breach: { ...adobe, ...breach },
    sources: ["hibp"],
    foundUnder: [],
  };
}

function optionsIn(language: Language) {
  const stopUrl = `${publicUrl}/${language}/manage-contact#t=v1.stop`;
  return { translate, language, publicUrl, stopUrl, sources: ["hibp"], now: new Date("2026-03-02T08:00:00Z") };
}

const worstBreach: BreachFacts = {
  ...adobe,
  title: "Everything & <more>",
  flags: [...SOURCE_FLAGS],
  dataClasses: [
    "Email addresses",
    "Passwords",
    "Phone numbers",
    "Credit cards",
    "Passport numbers",
    "Something nobody has named yet",
  ],
};
const worst = facts(worstBreach);
const worstChange: BreachChange = {
  at: "2026-03-02T08:00:00Z",
  addedClasses: ["Passwords"],
  removedClasses: [],
  addedFlags: [...BREACH_FLAGS],
  removedFlags: [...BREACH_FLAGS],
  count: null,
  happened: null,
  known: null,
  title: null,
  retired: null,
  worse: true,
};
const hidden: AlertFacts = { ...facts(), breach: null };

function mailsIn(language: Language) {
  const options = optionsIn(language);
  return {
    code: codeContent({ code: "048213", minutes: "10", language, translate }),
    confirmation: confirmationContent({
      asker: "Alice",
      url: `${publicUrl}/${language}/manage-contact#t=abc`,
      language,
      translate,
    }),
    ...securityMailsIn(language),
    alert: alertContent(facts(), options),
    flagged: alertContent(worst, options),
    report: reportContent(ADDRESS, [facts(), worst], options),
    clean: reportContent(ADDRESS, [], options),
    ...consentMailsIn(language),
    hidden: alertContent(hidden, options),
    hiddenReport: reportContent(ADDRESS, [hidden, hidden], options),
    worse: worseContent(worst, worstChange, options),
    hiddenWorse: worseContent(hidden, worstChange, options),
    mixedReport: reportContent(ADDRESS, [facts(), hidden], options),
  };
}

describe.each([...LANGUAGES])("mails in %s", (language) => {
  const mails = Object.entries(mailsIn(language));

  test.each(mails)("%s has the same content in both parts, with every link", (_, content) => {
    const { html, text } = layOut(content);
    expect(html).toContain(`<html lang="${localeOf(language)}">`);
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));
    for (const link of links) expect(text).toContain(link);
    const blocks = content.blocks.flatMap((block) =>
      block.kind === "steps" ? block.steps : block.kind === "paragraph" ? [block.text] : [],
    );
    for (const words of [...blocks, ...content.footer]) expect(text).toContain(words);
    expect(content.subject.length).toBeLessThanOrEqual(70);
    expect(`${html}${text}`).not.toMatch(/\b(mail|flags|data_classes)\.[a-z]|\{[a-z]+\}|undefined|NaN/);
  });

  test.each(mails)("%s loads no remote content and has no scripts", (_, content) => {
    expect(layOut(content).html).not.toMatch(/<(img|script|link|iframe|form|object)\b|\son\w+=|url\(|javascript:/i);
  });

  test("the alert contains address, service, both dates and all categories", () => {
    const { html, text } = layOut(mailsIn(language).flagged);
    for (const part of [text, html]) {
      expect(part).toContain(ADDRESS);
      for (const label of worstBreach.dataClasses.slice(0, -1))
        expect(part).toContain(translate(language, `data_classes.${dataClassKey(label)}`));
      expect(part).toContain("Something nobody has named yet");
      for (const date of [adobe.breachDate, adobe.addedDate])
        expect(part).toContain(translate(language, "mail.date", { date: new Date(date ?? "") }));
      for (const flag of SOURCE_FLAGS) expect(part).toContain(translate(language, `flags.${flag}`));
      expect(part).toContain(`${publicUrl}/${language}/alerts?alert=a1`);
      expect(part).toContain("https://haveibeenpwned.com");
      expect(part).toContain("CC BY 4.0");
      expect(part).toContain(translate(language, "seriousness.level_critical"));
      expect(part).toContain(translate(language, "seriousness.device"));
    }
    expect(text).toContain("Everything & <more>");
    expect(html).toContain("Everything &amp; &lt;more&gt;");
  });

  test("the code comes first and is not in the subject", () => {
    const { code } = mailsIn(language);
    expect(layOut(code).text).toStartWith(
      translate(language, "mail.code.line", { code: "048213", product: "Breachbell" }),
    );
    expect(`${code.subject}${code.preview}`).not.toContain("048213");
  });
});

describe("alertContent()", () => {
  const late = (breachDate: string, addedDate: string) =>
    JSON.stringify(alertContent(facts({ breachDate, addedDate }), optionsIn("en"))).includes("90 days");
  test("points out more than 90 days between the breach and its publication", () => {
    expect(late("2026-01-01", "2026-04-02T00:00:00Z")).toBe(true);
    expect(late("2026-01-01", "2026-04-01T23:59:59Z")).toBe(false);
  });

  test("formats dates in UTC in any time zone of the machine", () => {
    const { text } = layOut(alertContent(facts({ addedDate: "2026-03-01T23:59:59Z" }), optionsIn("de")));
    expect(text).toContain("1. März 2026");
  });

  test("lets no source's title break a line", () => {
    const { subject } = alertContent(facts({ title: "A\r\nBcc: x@evil.example\u202e" }), optionsIn("en"));
    expect(subject).toBe("Data breach: A Bcc: x@evil.example");
  });
});

describe("plainName()", () => {
  test.each([
    ["Alice", "Alice"],
    ["  Zoë\tMüller ", "Zoë Müller"],
    ["Alice\r\nBcc: x@evil.example", "Alice Bcc:"],
    ["win at https://evil.example/now", "win at"],
    ["visit evil.example today", "visit today"],
    ["\u202eecilA", "ecilA"],
    ["x".repeat(80), "x".repeat(60)],
    ["www.evil.example", ""],
  ])("turns %j into %j", (typed, plain) => {
    expect(plainName(typed)).toBe(plain);
  });

  test('returns "someone" for a nameless inviter', () => {
    expect(
      confirmationContent({ asker: "http://evil.example", url: publicUrl, language: "en", translate }).preview,
    ).toStartWith("Someone ");
  });
});
