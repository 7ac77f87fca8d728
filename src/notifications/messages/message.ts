import type { Language } from "../../shared/language.ts";
import { PRODUCT } from "../../shared/product.ts";
import { normalised } from "../../shared/text.ts";
import type { Delivery, Message, TextParams, Translate } from "../ports.ts";
import type { Content } from "./content.ts";

/** What a mail of another module is written from. */
export type MailSource = {
  params: Record<string, string>;
  language: Language;
  translate: Translate;
  publicUrl: string;
};

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

type CodeParts = {
  code: string /** How long it is valid. */;
  minutes: string | undefined;
  language: Language;
  translate: Translate;
};

/** The code of two-step verification. It is not in the subject, which lock screens show. */
export function codeContent({ code, minutes, language, translate }: CodeParts): Content {
  const say = (key: string, params: TextParams = {}) =>
    translate(language, `mail.${key}`, { product: PRODUCT, ...params });
  const validity =
    minutes === undefined
      ? []
      : [{ kind: "paragraph" as const, text: say("code.validity", { minutes: Number(minutes) }) }];
  return {
    language,
    subject: say("code.subject"),
    preview: say("code.preview"),
    heading: say("code.heading"),
    code: { value: code, line: say("code.line", { code }) },
    blocks: [...validity, { kind: "paragraph", text: say("code.never_share") }],
    footer: [say("code.not_you")],
    links: [],
  };
}

type ConfirmationParts = { asker: string; url: string; language: Language; translate: Translate };

/** Asks the owner of a contact to confirm it; the only unsolicited mail to a contact. */
export function confirmationContent({ asker, url, language, translate }: ConfirmationParts): Content {
  const say = (key: string, params: TextParams = {}) =>
    translate(language, `mail.${key}`, { product: PRODUCT, ...params });
  const name = plainName(asker) || say("confirmation.somebody");
  return {
    language,
    subject: say("confirmation.subject"),
    preview: say("confirmation.preview", { name }),
    heading: say("confirmation.heading"),
    blocks: [
      { kind: "paragraph", text: say("confirmation.who_asks", { name }) },
      { kind: "paragraph", text: say("confirmation.what_it_is") },
      { kind: "button", label: say("confirmation.button"), url },
      { kind: "paragraph", text: say("confirmation.validity") },
    ],
    footer: [say("confirmation.not_you")],
    links: [],
  };
}

/** A test message: alerts would arrive here. */
export function testContent({
  language,
  translate,
  publicUrl,
}: {
  language: Language;
  translate: Translate;
  publicUrl: string;
}): Content {
  const say = (key: string) => translate(language, `mail.test.${key}`, { product: PRODUCT });
  return {
    language,
    subject: say("subject"),
    preview: say("preview"),
    heading: say("heading"),
    blocks: [
      { kind: "paragraph", text: say("text") },
      { kind: "button", label: say("button"), url: `${publicUrl}/${language}/test-alerts` },
    ],
    footer: [say("why")],
    links: [],
  };
}

/** The message that a delivery's sender gets. */
export function messageOf(
  { id, messageId, recipient, about, createdAt, notAfter }: Delivery,
  content: Content,
): Message {
  const message = { deliveryId: id, messageId, to: recipient, content, kind: about.kind, raisedAt: createdAt };
  return notAfter === undefined ? message : { ...message, notAfter };
}
