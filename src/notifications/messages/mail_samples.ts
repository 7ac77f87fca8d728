import type { AlertFacts, BreachFacts } from "../../shared/breach.ts";
import type { BreachChange } from "../../shared/breach_change.ts";
import type { Language } from "../../shared/language.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import type { About, SummaryFacts, Texts } from "../ports.ts";
import { alertContent } from "./alert_message.ts";
import { CHECKS_TEMPLATES, checksContent } from "./checks_message.ts";
import { consentContent } from "./consent_message.ts";
import type { Content } from "./content.ts";
import { DOMAIN_TEMPLATES, domainContent } from "./domain_message.ts";
import { worseContent } from "./escalation_message.ts";
import { severalContent } from "./grouped_message.ts";
import { letterContent } from "./letter_message.ts";
import { codeContent, confirmationContent, testContent } from "./message.ts";
import { PLAN_TEMPLATES, planContent } from "./plan_message.ts";
import { reportContent } from "./report_message.ts";
import { securityContent } from "./security_message.ts";
import { summaryContent } from "./summary_message.ts";
import { SUPPORT_TEMPLATES, supportContent } from "./support_message.ts";

type Kind = About["kind"];
type Params = Record<string, string>;

const ADDRESS = "ada@example.com";
const PERSON = "Ada Lovelace";
const AT = "2026-11-20T23:07:00.000Z";
const NOW = new Date(AT);
const UNTIL = "2026-12-04T12:00:00.000Z";

const breach: BreachFacts = {
  name: "Adobe",
  title: "Adobe",
  domain: "adobe.com",
  breachDate: "2013-10-04",
  flags: [],
  logo: null,
  addedDate: "2013-12-04T00:00:00Z",
  pwnCount: 152_445_165,
  passwordStorage: "weak",
  manyServices: false,
  dataClasses: ["Email addresses", "Password hints", "Passwords", "Usernames"],
};
const facts: AlertFacts = {
  alertId: "sample",
  associationId: "sample",
  accountId: "sample",
  address: ADDRESS,
  state: "pending",
  version: 1,
  raisedAt: AT,
  breach,
  sources: ["hibp"],
  foundUnder: [{ address: "ada+shop@example.org", namesService: false }],
};
const hidden: AlertFacts = { ...facts, breach: null, foundUnder: [] };
const change: BreachChange = {
  at: AT,
  addedClasses: ["Passwords"],
  removedClasses: [],
  addedFlags: [],
  removedFlags: [],
  count: null,
  happened: null,
  known: null,
  title: null,
  retired: null,
  worse: true,
};
const month: SummaryFacts = {
  watched: 1,
  addresses: [{ address: ADDRESS, pending: 2, checkedAt: NOW }],
  found: 1,
  handled: 2,
  pending: 2,
  lateSince: undefined,
};

const SECURITY = {
  password_reset: { minutes: "60" },
  password_changed: { changedAt: AT, loggedOut: "others" },
  new_sign_in: { at: AT, browser: "Firefox", system: "Linux", ipPrefix: "203.0.113.0/24" },
  code_locked: { at: AT },
  email_change: { firstName: "Ada", account: "a…@old.example", hours: "24" },
  email_changed: { at: AT, to: "a…@new.example", formerAddress: "ask" },
  security_changed: { change: "passkey_added", at: AT, name: "Ada’s phone" },
  account_deleted: { at: AT, grants: "ended" },
  account_locked: { at: AT },
  account_unlocked: { at: AT },
  account_factors_reset: { at: AT },
  account_reset_link: { at: AT, minutes: "60" },
  account_removed: { at: AT },
} satisfies Partial<Record<Kind, Params>>;
const CONSENT = {
  invitation: { inviterName: PERSON, address: ADDRESS, days: "7" },
  invitation_reminder: { inviterName: PERSON, address: ADDRESS, days: "1", reminder: "2" },
  address_confirmation: { address: ADDRESS, accountName: PERSON, accountEmail: "a…@example.org" },
  alias_confirmation: { address: ADDRESS, accountName: PERSON, accountEmail: "a…@example.org" },
  consent_answered: { answer: "accepted", address: ADDRESS, details: "yes" },
  consent_given: { inviterName: PERSON, address: ADDRESS, details: "yes" },
  watching_stopped: { inviterName: PERSON, address: ADDRESS, reason: "stopped" },
  watching_resumed: { inviterName: PERSON, address: ADDRESS, reason: "plan" },
} satisfies Partial<Record<Kind, Params>>;
const PLAN: Params = {
  plan: "professional",
  quantity: "5",
  cap: "50",
  days: "7",
  period: "monthly",
  until: UNTIL,
  at: AT,
  periodEnd: UNTIL,
};
const DOMAIN: Params = {
  id: "0190e0f0-0000-7000-8000-000000000000",
  domain: "example.org",
  address: ADDRESS,
  name: PERSON,
  account: "g…@example.org",
  more: "1",
  findings: "3",
  addresses: "2",
  until: UNTIL,
};
const TICKET: Params = { kind: "ticket", reference: "T-7K3M-Q9XA", type: "technical", priority: "high" };

type Needs = Texts & { supportEmail: string; sources: string[] };

/** Samples of every kind of message, rendered by the real templates with fictitious data. */
export function mailSamples({ translate, publicUrl, supportEmail, sources }: Needs) {
  function samplesIn(language: Language): Record<Kind, () => Content> {
    const words = { translate, language, publicUrl };
    const token = () => "sample";
    const stopUrl = `${publicUrl}/${language}/manage-contact#t=sample`;
    const telling = { ...words, stopUrl, sources, now: NOW };
    const each = <Name extends Kind>(names: readonly Name[], make: (name: Name) => Content) =>
      Object.fromEntries(names.map((name) => [name, () => make(name)])) as Record<Name, () => Content>;
    const named = <Name extends string>(samples: Record<Name, Params>) => Object.keys(samples) as Name[];
    return {
      alert: () => alertContent(facts, telling),
      worse: () => worseContent(facts, change, telling),
      report: () => reportContent(ADDRESS, [facts, hidden], telling),
      alerts: () => severalContent("alerts", [facts, hidden], telling),
      digest: () => severalContent("digest", [facts, hidden], telling),
      monthly_summary: () => summaryContent({ month: "2026-10", facts: month, troubled: [] }, telling),
      test: () => testContent(words),
      confirmation: () => confirmationContent({ asker: PERSON, url: stopUrl, language, translate }),
      login_code: () => codeContent({ code: "048213", minutes: "10", language, translate }),
      ...each(named(SECURITY), (name) =>
        securityContent(name, { ...words, params: SECURITY[name], token, supportEmail }),
      ),
      ...each(named(CONSENT), (name) => consentContent(name, { ...words, params: CONSENT[name], token, until: NOW })),
      ...each(PLAN_TEMPLATES, (name) => planContent(name, { ...words, params: PLAN })),
      ...each(CHECKS_TEMPLATES, (name) => checksContent(name, { ...words, params: { addresses: "2", since: AT } })),
      ...each(DOMAIN_TEMPLATES, (name) =>
        domainContent(name, {
          ...words,
          params: DOMAIN,
          written: (secret) => (secret === "code" ? "048213" : "sample"),
        }),
      ),
      letter_due: () => letterContent({ ...words, params: { sentOn: "2026-10-20", dueOn: "2026-11-20" } }),
      ...each(SUPPORT_TEMPLATES, (name) =>
        supportContent(name, { ...words, params: TICKET, written: () => "Lorem ipsum." }),
      ),
    };
  }

  return {
    /** The kinds of messages, with their subjects in that language. */
    mailKinds(language: Language): { kind: string; subject: string }[] {
      return Object.entries(samplesIn(language)).map(([kind, make]) => ({ kind, subject: make().subject }));
    },

    mailSample(kind: string, language: Language): Result<Content, "NOT_FOUND"> {
      const samples: Record<string, () => Content> = samplesIn(language);
      const make = Object.hasOwn(samples, kind) ? samples[kind] : undefined;
      return make ? ok(make()) : fail("NOT_FOUND");
    },
  };
}
