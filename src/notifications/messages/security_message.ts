import type { MailRequested } from "../../events/catalogue.ts";
import { shownAddress } from "../../shared/shown_address.ts";
import type { TextParams } from "../ports.ts";
import type { ChecksTemplate } from "./checks_message.ts";
import type { ConsentTemplate } from "./consent_message.ts";
import type { Block, Content } from "./content.ts";
import type { DomainTemplate } from "./domain_message.ts";
import { type MailSource, mailOf, paragraph, plainName, plainText, type Say, sayIn } from "./message.ts";
import type { PlanTemplate } from "./plan_message.ts";
import type { SupportTemplate } from "./support_message.ts";

/** Mails about an account itself; their texts are under `mail.<template>.`. */
export type SecurityTemplate = Exclude<
  MailRequested["template"],
  "login_code" | "letter_due" | DomainTemplate | ConsentTemplate | PlanTemplate | ChecksTemplate | SupportTemplate
>;

type Plan = {
  /** The paragraphs, in reading order: keys of texts (with a dot: shared with other templates), and the three named below. */
  says: string[];
  button?: { label: string; page: string; withToken?: true };
  footer?: string;
};

const newPassword = { label: "account.new_password", page: "forgot-password" };
const owner = { footer: "account.footer" };

const PLANS: Record<SecurityTemplate, Plan> = {
  password_reset: {
    says: ["asked", "button", "validity"],
    button: { label: "account.new_password", page: "reset-password", withToken: true },
  },
  password_changed: { ...owner, says: ["when", "account.you", "not_you", "button", "tokens"], button: newPassword },
  new_sign_in: { ...owner, says: ["what", "facts", "account.you", "not_you", "button"], button: newPassword },
  code_locked: { ...owner, says: ["when", "you", "not_you", "button"], button: newPassword },
  email_change: {
    says: ["asked", "sees", "button", "validity"],
    button: { label: "confirmation.button", page: "confirm-email", withToken: true },
  },
  email_changed: { says: ["what", "former", "facts", "account.you", "not_you"] },
  security_changed: {
    ...owner,
    says: ["facts", "left", "account.you", "not_you", "button"],
    button: { label: "account.open_profile", page: "profile" },
  },
  account_deleted: { says: ["when", "gone", "grants", "watchers", "not_you"] },
  account_locked: { ...owner, says: ["when", "watched", "ask"] },
  account_unlocked: { ...owner, says: ["when"] },
  account_factors_reset: { ...owner, says: ["when", "login", "ask"] },
  account_reset_link: { ...owner, says: ["when", "validity", "ask"] },
  account_removed: { says: ["when", "gone", "grants_ended", "ask"] },
};

const PROVIDER_NAMES: Record<string, string> = { google: "Google", github: "GitHub", microsoft: "Microsoft" };

/** `token` decrypts the mail's secret; throws when it has none. */
type Source = MailSource & { token: () => string; supportEmail: string };

/** The parameters of the texts. All may be user input, so links in them are defused. */
function valuesOf({ params, language, translate, supportEmail }: Source): TextParams {
  const { at = params.changedAt, minutes, hours, left, tokens, firstName = "", account = "…", provider = "" } = params;
  const { watchers, more } = params;
  return {
    support: supportEmail,
    ...(at !== undefined && { at: new Date(at) }),
    ...(minutes !== undefined && { minutes: Number(minutes) }),
    ...(hours !== undefined && { hours: Number(hours) }),
    ...(left !== undefined && { left: Number(left) }),
    ...(tokens !== undefined && { tokens: tokens.split("\n").map(plainName).join(", ") }),
    ...(watchers !== undefined && { watchers: namesIn(watchers), more: Number(more) }),
    name: plainName(firstName) || translate(language, "mail.confirmation.somebody"),
    account: plainText(account),
    provider: PROVIDER_NAMES[provider] ?? plainName(provider),
  };
}

/** People in a list, two lines each: the name and the masked email. */
function namesIn(lines: string): string {
  const all = lines.split("\n");
  const people = all.flatMap((name, index) => (index % 2 === 0 ? [{ name, email: all[index + 1] ?? "" }] : []));
  return people.map(({ name, email }) => `${plainName(name)} (${shownAddress(plainText(email))})`).join(", ");
}

/** When, what, in which browser and from where, as far as known. */
function factsOf(params: Record<string, string>, say: Say): Block {
  const { browser = "", system = "", ipPrefix = "", name = "", to = "" } = params;
  const [program, machine] = [plainName(browser), plainName(system)];
  const device = program && machine ? say("fact.browser_on_system", { browser: program, system: machine }) : program;
  const facts = [
    { label: say("fact.when"), value: say("fact.moment") },
    { label: say("fact.name"), value: plainName(name) },
    { label: say("fact.new_address"), value: shownAddress(plainText(to)) },
    { label: say("fact.device"), value: device || machine },
    { label: say("fact.network"), value: plainText(ipPrefix) },
  ];
  return { kind: "facts", facts: facts.filter(({ value }) => value !== "") };
}

/** Tells an account's owner about an event, or asks for confirmation. */
export function securityContent(template: SecurityTemplate, source: Source): Content {
  const { params, language } = source;
  const { says, button, footer = "footer" } = PLANS[template];
  const say = sayIn(template, source, valuesOf(source));

  function blocksOf(part: string): Block[] {
    if (part === "facts") return [factsOf(params, say)];
    if (part === "former") return params.formerAddress ? [paragraph(say(`former_${params.formerAddress}`))] : [];
    if (part === "when" && params.loggedOut === "others") return [paragraph(say("when_others"))];
    if (part === "grants") return params.grants ? [paragraph(say(`grants_${params.grants}`))] : [];
    if (part === "button" && button) return [{ kind: "button", label: say(button.label), url: urlOf(button, source) }];
    const isOptional = part === "left" || part === "tokens" || part === "watchers";
    if (isOptional && params[part] === undefined) return [];
    return [paragraph(say(part))];
  }

  // Each change has a single sentence.
  const change = template === "security_changed" ? say(params.change ?? "") : undefined;
  const said = change === undefined ? { heading: say("heading") } : { subject: change };
  return mailOf(language, say, { ...said, blocks: says.flatMap(blocksOf), footer: say(footer) });
}

function urlOf({ page, withToken }: NonNullable<Plan["button"]>, { publicUrl, language, token }: Source): string {
  return `${publicUrl}/${language}/${page}${withToken ? `#t=${token()}` : ""}`;
}
