import type { MailRequested } from "../../events/catalogue.ts";
import { PRODUCT } from "../../shared/product.ts";
import type { Block, Content } from "./content.ts";
import type { MailSource } from "./message.ts";

/** Mails about overdue checks; their texts are under `mail.<template>.`. */
export type ChecksTemplate = Extract<MailRequested["template"], `checks_${string}`>;

const SAYS: Record<ChecksTemplate, string[]> = {
  checks_stale: ["what", "meaning", "next"],
  checks_resumed: ["what", "next"],
};

export const CHECKS_TEMPLATES = Object.keys(SAYS) as ChecksTemplate[];

export function isChecksTemplate(template: string): template is ChecksTemplate {
  return Object.hasOwn(SAYS, template);
}

/** Tells an account that its addresses could not be checked, or that they are checked again. */
export function checksContent(
  template: ChecksTemplate,
  { params, language, translate, publicUrl }: MailSource,
): Content {
  const { addresses = "1", since = "" } = params;
  const values = { product: PRODUCT, addresses: Number(addresses), since: new Date(since) };
  const say = (key: string) => translate(language, `mail.${key}`, values);
  return {
    language,
    subject: say(`${template}.subject`),
    preview: say(`${template}.preview`),
    heading: say(`${template}.subject`),
    blocks: [
      ...SAYS[template].map((part): Block => ({ kind: "paragraph", text: say(`${template}.${part}`) })),
      { kind: "button", label: say("report.clean.button"), url: `${publicUrl}/${language}/dashboard` },
    ],
    footer: [say("account.footer")],
    links: [],
  };
}
