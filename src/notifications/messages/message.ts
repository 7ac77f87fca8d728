import type { Language } from "../../shared/language.ts";
import { PRODUCT } from "../../shared/product.ts";
import { normalised } from "../../shared/unicode.ts";
import type { Delivery, Message, TextParams, Translate } from "../ports.ts";
import type { Block, Content } from "./content.ts";

/** What a text is written with. */
type Voice = { language: Language; translate: Translate };
/** What a mail of another module is written from. */
export type MailSource = Voice & { params: Record<string, string>; publicUrl: string };

const LONGEST_NAME = 60;
const ADDRESS_LIKE = /\S+:\/\/\S*|\bwww\.\S+|\S+@\S+|\S+\.[\p{L}]{2,}\S*/giu;

/** A name as typed, without control characters and without anything that mail programs turn into links. */
export function plainName(typed: string): string {
  const text = normalised(typed, "NFKC").replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ");
  const words = text.replace(ADDRESS_LIKE, " ").replace(/\s+/g, " ").trim();
  return [...words].slice(0, LONGEST_NAME).join("").trim();
}

/** A source's text on one line, without invisible characters. */
export function plainText(text: string): string {
  return text
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Whether a template is one of these. */
export function isAmong<Template extends string>(templates: readonly Template[], name: string): name is Template {
  return templates.some((template) => template === name);
}

export type Say = (key: string, more?: TextParams) => string;

/** The texts of a mail. Keys without a dot are its own, below `mail.<topic>.`; those with one are shared. */
export function sayIn(topic: string, { language, translate }: Voice, values: TextParams = {}): Say {
  const params = { product: PRODUCT, ...values };
  return (key, more) =>
    translate(language, `mail.${key.includes(".") ? key : `${topic}.${key}`}`, { ...params, ...more });
}

type Parts = Pick<Content, "blocks" | "code"> & { subject?: string; heading?: string; footer?: string };

/** A mail with texts under the usual keys where nothing else is given; without a heading that is its subject. */
export function mailOf(
  language: Language,
  say: Say,
  { subject = say("subject"), heading = subject, footer = say("footer"), ...rest }: Parts,
): Content {
  return { language, subject, preview: say("preview"), heading, footer: [footer], links: [], ...rest };
}

export const paragraph = (text: string): Block => ({ kind: "paragraph", text });

/** `minutes`: how long the code is valid. */
type Code = Voice & { code: string; minutes: string | undefined };

/** The code of two-step verification. It is not in the subject, which lock screens show. */
export function codeContent({ code, minutes, ...voice }: Code): Content {
  const say = sayIn("code", voice);
  const validity = minutes === undefined ? [] : [paragraph(say("validity", { minutes: Number(minutes) }))];
  return mailOf(voice.language, say, {
    heading: say("heading"),
    code: { value: code, line: say("line", { code }) },
    blocks: [...validity, paragraph(say("never_share"))],
    footer: say("not_you"),
  });
}

/** Asks the owner of a contact to confirm it; the only unsolicited mail to a contact. */
export function confirmationContent({ asker, url, ...voice }: Voice & { asker: string; url: string }): Content {
  const say = sayIn("confirmation", voice);
  const name = plainName(asker) || say("somebody");
  return mailOf(voice.language, (key) => say(key, { name }), {
    heading: say("heading"),
    blocks: [
      paragraph(say("who_asks", { name })),
      paragraph(say("what_it_is")),
      { kind: "button", label: say("button"), url },
      paragraph(say("validity")),
    ],
    footer: say("not_you"),
  });
}

/** A test message: alerts would arrive here. */
export function testContent({ publicUrl, ...voice }: Voice & { publicUrl: string }): Content {
  const { language } = voice;
  const say = sayIn("test", voice);
  return mailOf(language, say, {
    heading: say("heading"),
    blocks: [
      paragraph(say("text")),
      { kind: "button", label: say("button"), url: `${publicUrl}/${language}/test-alerts` },
    ],
    footer: say("why"),
  });
}

/** The message that a delivery's sender gets. */
export function messageOf(
  { id, messageId, recipient, about, createdAt, notAfter }: Delivery,
  content: Content,
): Message {
  const message = { deliveryId: id, messageId, to: recipient, content, kind: about.kind, raisedAt: createdAt };
  return notAfter === undefined ? message : { ...message, notAfter };
}
