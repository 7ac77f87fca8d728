import type { MailRequested } from "../../events/catalogue.ts";
import { shownDomain } from "../../shared/shown_address.ts";
import type { TextParams } from "../ports.ts";
import type { Content } from "./content.ts";
import { type MailSource, mailOf, paragraph, plainName, plainText, sayIn } from "./message.ts";

/** Messages about a whole domain; their texts are under `mail.<template>.`. */
export type DomainTemplate = Extract<MailRequested["template"], `domain_${string}`>;

type Plan = {
  /** The paragraphs, in reading order; "drill" only in a drill, "more" only where there are several administrators. */
  says: string[];
  /** `id`: to the domain's own page. */
  button?: { label: string; page: "domains" | "domain-notice"; withId?: true };
  footer: string;
};

const own = { label: "domain.open", page: "domains", withId: true } as const;
const person = { label: "domain.decide", page: "domain-notice" } as const;

const PLANS: Record<DomainTemplate, Plan> = {
  domain_code: { says: ["who", "validity", "not_you"], footer: "domain_code.footer" },
  domain_contested: { says: ["what", "when", "next"], button: own, footer: "account.footer" },
  domain_shared: { says: ["what", "next"], button: own, footer: "account.footer" },
  domain_proof_missing: { says: ["what", "next"], button: own, footer: "account.footer" },
  domain_ended: { says: ["what", "next"], button: own, footer: "account.footer" },
  domain_notice: {
    says: ["what", "more", "sees", "not_sees", "choice"],
    button: person,
    footer: "domain.person_footer",
  },
  domain_news: { says: ["what", "choice"], button: person, footer: "domain.person_footer" },
  domain_findings: { says: ["drill", "what", "next"], button: own, footer: "account.footer" },
};

export const DOMAIN_TEMPLATES = Object.keys(PLANS) as DomainTemplate[];

/** `written` decrypts a secret of the message; throws when it has none. */
type Source = MailSource & { written: (name: string) => string };

/** The parameters of the texts. Names are user input, so links in them are defused. */
function valuesOf({ params, language, translate }: Source): TextParams {
  const { domain = "", name = "", account = "", until, more = "0" } = params;
  const { findings = "0", addresses = "0" } = params;
  return {
    domain: plainText(shownDomain(domain)),
    name: plainName(name) || translate(language, "mail.confirmation.somebody"),
    account: plainText(account),
    more: Number(more),
    findings: Number(findings),
    addresses: Number(addresses),
    ...(until !== undefined && { until: new Date(until) }),
  };
}

/** Tells an administrator or a person about a domain, or carries the code that proves it. */
export function domainContent(template: DomainTemplate, source: Source): Content {
  const { params, written, language, publicUrl } = source;
  const { says, button, footer } = PLANS[template];
  const say = sayIn(template, source, valuesOf(source));
  const isSaid = (part: string) => (part === "drill" ? params.drill : part === "more" ? params.more !== "0" : true);
  const url = () =>
    `${publicUrl}/${language}/${button?.page}${button?.withId ? `/${params.id}` : `#t=${written("token")}`}`;
  const blocks = says.filter(isSaid).map((part) => paragraph(say(part)));
  if (button) blocks.push({ kind: "button", label: say(button.label), url: url() });
  const code = template === "domain_code" ? written("code") : undefined;
  return mailOf(language, say, {
    ...(code !== undefined && { code: { value: code, line: say("code.line", { code }) } }),
    blocks,
    footer: say(footer),
  });
}
