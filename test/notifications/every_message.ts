import { alertContent } from "../../src/notifications/messages/alert_message.ts";
import {
  CHECKS_TEMPLATES,
  type ChecksTemplate,
  checksContent,
} from "../../src/notifications/messages/checks_message.ts";
import type { Content } from "../../src/notifications/messages/content.ts";
import { DOMAIN_TEMPLATES, type DomainTemplate } from "../../src/notifications/messages/domain_message.ts";
import { worseContent } from "../../src/notifications/messages/escalation_message.ts";
import { severalContent } from "../../src/notifications/messages/grouped_message.ts";
import { letterContent } from "../../src/notifications/messages/letter_message.ts";
import { codeContent, confirmationContent, testContent } from "../../src/notifications/messages/message.ts";
import { PLAN_TEMPLATES, type PlanTemplate, planContent } from "../../src/notifications/messages/plan_message.ts";
import { discreetly } from "../../src/notifications/messages/private_preview.ts";
import { reportContent } from "../../src/notifications/messages/report_message.ts";
import { summaryContent } from "../../src/notifications/messages/summary_message.ts";
import {
  SUPPORT_TEMPLATES,
  type SupportTemplate,
  supportContent,
} from "../../src/notifications/messages/support_message.ts";
import type { About, SummaryFacts, Translate } from "../../src/notifications/ports.ts";
import { type AlertFacts, BREACH_FLAGS, type BreachFacts, SOURCE_FLAGS } from "../../src/shared/breach.ts";
import type { BreachChange } from "../../src/shared/breach_change.ts";
import type { Language } from "../../src/shared/language.ts";
import { consentMail, PARAMS } from "./consent_mails.ts";
import { domainMessages } from "./domain_mails.ts";
import { contact } from "./ledger.ts";
import { adobe } from "./post_office.ts";
import { messageTo } from "./sample_mail.ts";
import { securityMailsIn } from "./security_mails.ts";
export const PUBLIC_URL = "https://breachbell.example";
export const ADDRESS = "alice@home.example";
const NOW = new Date("2026-03-02T08:00:00Z");

type Sources = { language: Language; translate: Translate };
type Messages = Record<string, Content>;

function facts(breach: Partial<BreachFacts> | null = {}, sources = ["hibp"]): AlertFacts {
  return {
    alertId: "a1",
    associationId: "home",
    accountId: "alice",
    address: ADDRESS,
    state: "pending",
    version: 1,
    raisedAt: "2026-03-02T08:00:00Z",
    breach: breach && { ...adobe, ...breach },
    sources,
    foundUnder: [],
  };
}

/** A breach with every field a source can provide, with realistically long names. */
export const worst = facts({
  title: "Everything & <more>",
  domain: "everything-and-more-entertainment-network.example",
  flags: [...SOURCE_FLAGS],
  dataClasses: [
    ...["Email addresses", "Passwords", "Phone numbers", "Credit cards", "Passport numbers", "Dates of birth"],
    ...["Government issued IDs", "Private messages", "Latitude and longitude pairs", "Something nobody has named yet"],
  ],
});
const hidden = facts(null);
/** Found under an alias only, which tells where the data comes from. */
export const aliased: AlertFacts = {
  ...facts(),
  foundUnder: [
    { address: "alice+adobe@home.example", namesService: true },
    ...Array.from({ length: 8 }, (_, at) => ({ address: `alice+${at}@home.example`, namesService: false })),
  ],
};
const mild = facts({ dataClasses: ["Email addresses"], passwordStorage: null, pwnCount: 0, breachDate: "2026-02-01" });
/** A breach of which no source knows more than its name. */
const unexplained = facts({
  title: "Unexplained",
  domain: "",
  breachDate: null,
  pwnCount: 0,
  dataClasses: [],
  flags: [],
});
const drill = facts({ flags: ["drill"], name: "drill", title: "drill" }, []);

export const change: BreachChange = {
  at: "2026-02-27T23:30:00Z",
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

function told({ language, translate }: Sources) {
  const stopUrl = `${PUBLIC_URL}/${language}/manage-contact#t=v1.stop`;
  const options = { translate, language, publicUrl: PUBLIC_URL, stopUrl, sources: ["hibp", "push"], now: NOW };
  const report = (...alerts: AlertFacts[]) => reportContent(ADDRESS, alerts, options);
  return {
    alert: {
      alert: alertContent(facts(), options),
      alertOfTheWorst: alertContent(worst, options),
      alertOfLittle: alertContent(mild, options),
      alertOfAnUnknownDate: alertContent(unexplained, options),
      alertFromALongAgo: alertContent(facts({ breachDate: "2013-10-04", addedDate: "2026-03-01T00:00:00Z" }), options),
      alertUnderAliases: alertContent(aliased, options),
      alertWithoutDetails: alertContent(hidden, options),
      drill: alertContent(drill, options),
    },
    worse: {
      worse: worseContent(worst, change, options),
      worseOfAnUnknownDate: worseContent(unexplained, change, options),
      worseWithoutDetails: worseContent(hidden, change, options),
    },
    report: {
      report: report(facts(), worst, unexplained),
      reportOfOne: report(mild),
      reportUnderAliases: report(aliased, mild),
      reportOfNothing: report(),
      reportWithoutDetails: report(hidden, hidden),
      reportOfWhatIsShared: report(facts(), hidden),
    },
    alerts: { alerts: severalContent("alerts", [facts(), aliased, worst, hidden, mild, unexplained], options) },
    digest: {
      digest: severalContent("digest", [facts(), worst, hidden, mild, unexplained], options),
      digestOfWhatIsNotShared: severalContent("digest", [hidden, facts(null, [])], options),
    },
    monthly_summary: summariesIn(options),
  } satisfies Partial<Record<About["kind"], Messages>>;
}

function summariesIn(options: Parameters<typeof summaryContent>[1]): Messages {
  const addresses = [
    { address: ADDRESS, pending: 2, checkedAt: new Date("2026-02-28T06:00:00Z") },
    { address: "alice@a-very-long-company-name-and-sons.example", pending: 0, checkedAt: undefined },
  ];
  const calm: SummaryFacts = { watched: 2, addresses, found: 1, handled: 4, pending: 2, lateSince: undefined };
  const busy = { ...calm, watched: 12, found: 0, pending: 0, lateSince: NOW };
  const none = { ...calm, watched: 0, addresses: [], found: 0, pending: 0 };
  const hook = { channel: "webhook", value: "https://hooks.example/secret/path" } as const;
  const troubled = [
    contact("old@home.example"),
    contact("x", hook),
    ...Array.from({ length: 5 }, () => contact("c@d.example")),
  ];
  return {
    monthlySummary: summaryContent({ month: "2026-02", facts: calm, troubled: [] }, options),
    monthlySummaryWithTroubles: summaryContent({ month: "2026-02", facts: busy, troubled }, options),
    yearlyLookBack: summaryContent({ month: "2026", facts: busy, troubled: [] }, options),
    monthlySummaryOfNothing: summaryContent({ month: "2026-02", facts: none, troubled: [] }, options),
  };
}

const DATES = {
  until: "2026-12-04T12:00:00.000Z",
  at: "2026-12-04T12:00:00.000Z",
  periodEnd: "2026-12-20T12:00:00.000Z",
};
const PLANS: Record<string, Record<string, string>> = {
  "": { plan: "professional", quantity: "5", cap: "50", days: "7" },
  ForOne: { plan: "personal", quantity: "1", cap: "1", days: "1" },
  Unlimited: { plan: "business", quantity: "1", cap: "unlimited", days: "0" },
};

function planMessages(template: PlanTemplate, { language, translate }: Sources): Messages {
  return Object.fromEntries(
    Object.entries(PLANS).map(([name, plan]) => {
      const params = { ...plan, ...DATES };
      return [`${template}${name}`, planContent(template, { params, language, translate, publicUrl: PUBLIC_URL })];
    }),
  );
}

function checksMessages(template: ChecksTemplate, { language, translate }: Sources): Messages {
  return Object.fromEntries(
    ["1", "12"].map((addresses) => {
      const params = { addresses, since: "2026-02-28T05:07:00Z" };
      return [
        `${template}${addresses}`,
        checksContent(template, { params, language, translate, publicUrl: PUBLIC_URL }),
      ];
    }),
  );
}

/** Every message to the staff, with the longest possible texts. */
function supportMessages(template: SupportTemplate, { language, translate }: Sources): Messages {
  const reference = "BB-7K3F-92QX";
  const asked = { reference, kind: "ticket", type: "technical", priority: "critical", language: "pt" };
  const told = { reference, kind: "feedback", type: "critique", language: "fr" };
  const long = { firstName: "Alice", lastName: "Meyer", email: ADDRESS, company: "Meyer & Sons" };
  const subject = "Alerts arrive in one mailbox and not in the other one, although both are confirmed";
  const whole: Record<string, string> = { ...long, subject, text: "Since Monday.\n\nNothing <b>arrives</b>." };
  const bare: Record<string, string> = { ...long, company: "", subject: "", text: "Fewer colours, please." };
  const content = (params: Record<string, string>, words: Record<string, string>) =>
    supportContent(template, {
      params,
      written: (name) => words[name] ?? "",
      language,
      translate,
      publicUrl: PUBLIC_URL,
    });
  return { [template]: content(asked, whole), [`${template}OfFeedback`]: content(told, bare) };
}

/** The inviter has no name. */
function nameless({ language, translate }: Sources): Messages {
  const { inviterName: _, ...asked } = PARAMS.invitation?.[1] ?? {};
  return {
    invitationOfSomebody: consentMail("invitation", asked, language, translate),
    addressConfirmationOfSomebody: consentMail("address_confirmation", { address: ADDRESS }, language, translate),
  };
}

/** Every message of the product in every variant, by its kind and a name. */
export function everyMessage(sources: Sources): Record<About["kind"], Messages> {
  const { language, translate } = sources;
  const url = `${PUBLIC_URL}/${language}/manage-contact#t=abc`;
  const security = Object.entries(securityMailsIn(language, translate));
  const consent = Object.entries(PARAMS).map(([name, [template, params]]) => {
    return [name, template, consentMail(template, params, language, translate)] as const;
  });
  const secured = (...names: string[]) => Object.fromEntries(security.filter(([name]) => names.includes(name)));
  const agreed = (kind: string) =>
    Object.fromEntries(consent.flatMap(([name, of, mail]) => (of === kind ? [[name, mail]] : [])));
  const asking = (asker: string) => confirmationContent({ asker, url, language, translate });
  const plans = PLAN_TEMPLATES.map((template) => [template, planMessages(template, sources)] as const);
  const domains = DOMAIN_TEMPLATES.map(
    (template) => [template, domainMessages(template, { ...sources, publicUrl: PUBLIC_URL })] as const,
  );
  const checks = CHECKS_TEMPLATES.map((template) => [template, checksMessages(template, sources)] as const);
  const account = ["passwordReset", "passwordChanged", "newSignIn", "newSignInWithGaps", "codeLocked"];
  const changed = ["emailChange", "emailChanged", "emailChangedAndStopped"];
  const deleted = ["accountDeleted", "accountDeletedWithGrants", "accountDeletedWithManyGrants"];
  const operated = ["accountLocked", "accountUnlocked", "accountFactorsReset", "accountResetLink", "accountRemoved"];
  return {
    ...told(sources),
    login_code: {
      code: codeContent({ code: "048213", minutes: "10", language, translate }),
      codeForEver: codeContent({ code: "048213", minutes: undefined, language, translate }),
    },
    letter_due: {
      letterDue: letterContent({
        params: { sentOn: "2026-10-20", dueOn: "2026-11-20" },
        language,
        translate,
        publicUrl: PUBLIC_URL,
      }),
    },
    test: { test: testContent({ language, translate, publicUrl: PUBLIC_URL }) },
    confirmation: { confirmation: asking("Alice"), confirmationOfSomebody: asking("") },
    password_reset: secured("passwordReset"),
    password_changed: secured("passwordChanged"),
    new_sign_in: secured("newSignIn", "newSignInWithGaps"),
    code_locked: secured("codeLocked"),
    email_change: secured("emailChange"),
    email_changed: secured("emailChanged", "emailChangedAndStopped"),
    account_deleted: secured(...deleted),
    account_locked: secured("accountLocked"),
    account_unlocked: secured("accountUnlocked"),
    account_factors_reset: secured("accountFactorsReset"),
    account_reset_link: secured("accountResetLink"),
    account_removed: secured("accountRemoved"),
    security_changed: Object.fromEntries(
      security.filter(([name]) => ![...account, ...changed, ...deleted, ...operated].includes(name)),
    ),
    invitation: { ...agreed("invitation"), ...nameless(sources) },
    invitation_reminder: agreed("invitation_reminder"),
    address_confirmation: agreed("address_confirmation"),
    alias_confirmation: agreed("alias_confirmation"),
    consent_answered: agreed("consent_answered"),
    consent_given: agreed("consent_given"),
    watching_stopped: agreed("watching_stopped"),
    watching_resumed: agreed("watching_resumed"),
    ...(Object.fromEntries(plans) as Record<PlanTemplate, Messages>),
    ...(Object.fromEntries(
      SUPPORT_TEMPLATES.map((template) => [template, supportMessages(template, sources)]),
    ) as Record<SupportTemplate, Messages>),
    ...(Object.fromEntries(checks) as Record<ChecksTemplate, Messages>),
    ...(Object.fromEntries(domains) as Record<DomainTemplate, Messages>),
  };
}

/** The same to a discreet contact. */
export function everyDiscreetMessage(sources: Sources): Record<"email" | "telegram", Messages> {
  const { alert, alerts, worse, report, digest } = everyMessage(sources);
  const messages = Object.entries({ ...alert, ...alerts, ...worse, ...report, ...digest });
  const over = (channel: "email" | "telegram") =>
    messages.map(([name, content]) => {
      const to = { channel, value: "somebody@else.example" };
      return [name, discreetly(messageTo(to.value, { to, content }), sources.translate).content] as const;
    });
  return { email: Object.fromEntries(over("email")), telegram: Object.fromEntries(over("telegram")) };
}
