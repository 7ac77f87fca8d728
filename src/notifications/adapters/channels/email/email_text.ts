import type { Language } from "../../../../shared/language.ts";
import { type Block, type BreachItem, type Content, colonIn, type Link } from "../../../messages/content.ts";

/** One part of the content as lines of plain text. */
export function textBlock(part: Block, language: Language): string {
  const colon = colonIn(language);
  switch (part.kind) {
    case "paragraph":
      return part.text;
    case "note":
      return `${part.label}. ${part.text}`;
    case "facts":
      return part.facts.map(({ label, value }) => `${label}${colon}${value}`).join("\n");
    case "tags":
      return `${part.label}${colon}${part.tags.join(", ")}`;
    case "steps":
      return [part.label, ...part.steps.map((step, index) => `${index + 1}. ${step}`)].join("\n");
    case "breaches":
      return [part.label, ...part.breaches.map((breach) => textBreach(breach, colon))].join("\n\n");
    case "button":
      return textLink(part, language);
  }
}

function textBreach({ title, badges, facts }: BreachItem, colon: string): string {
  const name = [title, ...badges.map((badge) => `[${badge}]`)].join(" ");
  return [`- ${name}`, ...facts.map(({ label, value }) => `  ${label}${colon}${value}`)].join("\n");
}

export function textLink({ label, url }: Link, language: Language): string {
  return `${label}${colonIn(language).trimEnd()}\n${url}`;
}

/** The plain text part: the same content, with every URL in full on its own line. */
export function textOf({ language, code, heading, blocks, footer, links, attribution }: Content): string {
  const parts = [
    ...(code ? [code.line] : [heading]),
    ...blocks.map((part) => textBlock(part, language)),
    "-- ",
    ...footer,
    ...links.map((link) => textLink(link, language)),
    ...(attribution ? [[attribution.text, ...attribution.links.map(({ url }) => url)].join("\n")] : []),
  ];
  return `${parts.join("\n\n")}\n`;
}
