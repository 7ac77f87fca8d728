import { PRODUCT } from "../../shared/product.ts";
import type { Content } from "./content.ts";
import type { MailSource } from "./message.ts";

/** Reminds of a letter whose deadline has passed. It names no company, as others may read a contact. */
export function letterContent({ params, language, translate, publicUrl }: MailSource): Content {
  const { sentOn = "", dueOn = "" } = params;
  const values = { product: PRODUCT, sent: new Date(sentOn), due: new Date(dueOn) };
  const say = (key: string) => translate(language, `mail.letter_due.${key}`, values);
  return {
    language,
    subject: say("subject"),
    preview: say("preview"),
    heading: say("subject"),
    blocks: [
      { kind: "paragraph", text: say("what") },
      { kind: "paragraph", text: say("next") },
      { kind: "button", label: say("button"), url: `${publicUrl}/${language}/letters` },
    ],
    footer: [say("footer")],
    links: [],
  };
}
