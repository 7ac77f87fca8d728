import { PRODUCT } from "../../shared/product.ts";
import type { Message, Translate } from "../ports.ts";
import type { Content } from "./content.ts";

/**
 * For screens that others may see: no service, address or category in the preview. Mails keep their content, as only subject and
 * preview are shown there; other messages only say that there is one.
 */
export function discreetly(message: Message, translate: Translate): Message {
  const { content, to } = message;
  const { language } = content;
  const say = (key: string) => translate(language, `mail.discreet.${key}`, { product: PRODUCT });
  const outside = { subject: say("subject"), preview: say("preview") };
  if (to.channel === "email") return { ...message, content: { ...content, ...outside } };
  const { handle: _, code: __, attribution: ___, ...rest } = content;
  const buttons = content.blocks.filter(({ kind }) => kind === "button");
  const inside: Content = {
    ...rest,
    ...outside,
    heading: say("subject"),
    blocks: [{ kind: "paragraph", text: say("preview") }, ...buttons],
    footer: [],
  };
  const { facts: ____, ...bare } = message;
  return { ...bare, content: inside };
}
