import type { MailRequested } from "../../events/catalogue.ts";
import { localeOf } from "../../shared/language.ts";
import { PRODUCT } from "../../shared/product.ts";
import { shownAddress } from "../../shared/shown_address.ts";
import { type Block, type Content, colonIn } from "./content.ts";
import { type MailSource, paragraph, plainName, plainText, type Say } from "./message.ts";

/** Mails about support tickets; their texts are under `mail.<template>.`. */
export type SupportTemplate = Extract<MailRequested["template"], `ticket_${string}`>;

const LONGEST_SUBJECT = 90;

/** The paragraphs, in reading order: keys of texts, and the three named below. */
type Plan = { says: string[]; button: string; toStaff?: true };

const PLANS: Record<SupportTemplate, Plan> = {
  ticket_filed: { says: ["facts", "text"], button: "staff", toStaff: true },
  ticket_followed_up: { says: ["facts", "text"], button: "staff", toStaff: true },
  ticket_received: { says: ["what", "next"], button: "open" },
  ticket_answered: { says: ["what", "text", "next"], button: "open" },
};

export const SUPPORT_TEMPLATES = Object.keys(PLANS) as SupportTemplate[];

/** The others go to the ticket's sender. */
export function isToStaff(template: SupportTemplate): boolean {
  return PLANS[template].toStaff === true;
}

/** `written` decrypts what the user wrote; throws when it is missing. */
type Source = MailSource & { written: (name: string) => string };

/** One paragraph per line. */
function paragraphsOf(text: string): Block[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => paragraph(line.trim()));
}

/** The sender and the kind of ticket. */
function factsOf({ params, written, language }: Source, say: Say): Block {
  const { type = "", priority = "", reference = "", language: spoken = "" } = params;
  const names = new Intl.DisplayNames([localeOf(language)], { type: "language" });
  const name = [written("firstName"), written("lastName")].map(plainName).join(" ").trim();
  const facts = [
    { label: say("ticket.reference"), value: reference },
    { label: say("ticket.from"), value: name },
    { label: say("ticket.proven_email"), value: shownAddress(written("proven")) },
    { label: say("ticket.email"), value: shownAddress(written("email")) },
    { label: say("ticket.company"), value: plainText(written("company")) },
    { label: say("ticket.type"), value: say(`support.type.${type}`) },
    { label: say("ticket.priority"), value: priority && say(`support.priority.${priority}`) },
    { label: say("ticket.subject"), value: plainText(written("subject")) },
    { label: say("ticket.language"), value: spoken && (names.of(spoken) ?? spoken) },
  ];
  return { kind: "facts", facts: facts.filter(({ value }) => value !== "") };
}

/** For staff it includes the ticket's subject, as far as it fits. */
function subjectOf(template: SupportTemplate, { written, language }: Source, say: Say): string {
  const subject = say(`${template}.subject`);
  const topic = isToStaff(template) ? plainText(written("subject")) : "";
  if (topic === "") return subject;
  const whole = [...`${subject}${colonIn(language)}${topic}`];
  return whole.length <= LONGEST_SUBJECT
    ? whole.join("")
    : `${whole
        .slice(0, LONGEST_SUBJECT - 1)
        .join("")
        .trim()}…`;
}

/** Tells staff about a message, or its sender that it arrived or was answered. */
export function supportContent(template: SupportTemplate, source: Source): Content {
  const { params, written, language, translate, publicUrl } = source;
  const { kind = "ticket", reference = "" } = params;
  const { says, button } = PLANS[template];
  const say: Say = (key) => {
    const id = key.startsWith("support.") ? `support.${key}` : `mail.${key}`;
    return translate(language, id, { product: PRODUCT, kind, reference });
  };
  function blocksOf(part: string): Block[] {
    if (part === "facts") return [factsOf(source, say)];
    if (part === "text") return paragraphsOf(written("text"));
    return [paragraph(say(`${template}.${part}`))];
  }
  const page = kind === "feedback" ? "suggestions" : "support";
  const path = isToStaff(template) ? `staff/tickets/${reference}` : `${page}?ticket=${reference}`;
  return {
    language,
    subject: subjectOf(template, source, say),
    preview: say(`${template}.preview`),
    heading: say(`${template}.subject`),
    blocks: [
      ...says.flatMap(blocksOf),
      { kind: "button", label: say(`ticket.button.${button}`), url: `${publicUrl}/${language}/${path}` },
    ],
    footer: [say(isToStaff(template) ? "ticket.staff_footer" : "ticket.footer")],
    links: [],
  };
}
