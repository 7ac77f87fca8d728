import type { MailRequested } from "../../events/catalogue.ts";
import type { Content } from "./content.ts";
import { type MailSource, mailOf, paragraph, sayIn } from "./message.ts";

/** Mails about overdue checks; their texts are under `mail.<template>.`. */
export type ChecksTemplate = Extract<MailRequested["template"], `checks_${string}`>;

const SAYS: Record<ChecksTemplate, string[]> = {
  checks_stale: ["what", "meaning", "next"],
  checks_resumed: ["what", "next"],
};

export const CHECKS_TEMPLATES = Object.keys(SAYS) as ChecksTemplate[];

/** Tells an account that its addresses could not be checked, or that they are checked again. */
export function checksContent(template: ChecksTemplate, source: MailSource): Content {
  const { params, language, publicUrl } = source;
  const { addresses = "1", since = "" } = params;
  const say = sayIn(template, source, { addresses: Number(addresses), since: new Date(since) });
  return mailOf(language, say, {
    blocks: [
      ...SAYS[template].map((part) => paragraph(say(part))),
      { kind: "button", label: say("report.clean.button"), url: `${publicUrl}/${language}/dashboard` },
    ],
    footer: say("account.footer"),
  });
}
