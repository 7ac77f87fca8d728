import type { Language } from "../../../../shared/language.ts";
import { type Block, type BreachItem, type Content, colonIn } from "../../../messages/content.ts";
import { shortened } from "../../../messages/shorten.ts";

/** Limit of the text without tags (core.telegram.org/bots/api#sendmessage). */
export const MAX_TEXT = 4096;
const MAX_VALUE = 300;

/** Truncate before escaping: half an entity would invalidate the whole message. */
export function escaped(text: string): string {
  const [...letters] = text;
  const cut = letters.length > MAX_VALUE ? `${letters.slice(0, MAX_VALUE - 1).join("")}…` : text;
  return cut.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const bold = (text: string) => `<b>${escaped(text)}</b>`;

function breachLine({ title, badges, facts }: BreachItem, colon: string): string {
  const name = [bold(title), ...badges.map((badge) => `[${escaped(badge)}]`)].join(" ");
  return [`• ${name}`, ...facts.map(({ label, value }) => `   ${escaped(label)}${colon}${escaped(value)}`)].join("\n");
}

/** The parts of a block, each of which can stand alone; buttons go below the message. */
function partsOf(block: Block, language: Language): string[] {
  const colon = colonIn(language);
  switch (block.kind) {
    case "paragraph":
      return [escaped(block.text)];
    case "note":
      return [`${bold(block.label)}. ${escaped(block.text)}`];
    case "facts":
      return [block.facts.map(({ label, value }) => `${escaped(label)}${colon}${bold(value)}`).join("\n")];
    case "tags":
      return [`${escaped(block.label)}${colon}${block.tags.map(escaped).join(", ")}`];
    case "steps":
      return [[bold(block.label), ...block.steps.map((step, index) => `${index + 1}. ${escaped(step)}`)].join("\n")];
    case "breaches":
      return [bold(block.label), ...block.breaches.map((breach) => breachLine(breach, colon))];
    case "button":
      return [];
  }
}

const lengthOf = (html: string) => html.replaceAll(/<[^>]*>/g, "").replaceAll(/&(?:amp|lt|gt);/g, "&").length;

/** Shortened to the limit; the message's button leads to the rest. */
export function telegramText({ language, heading, blocks, footer, attribution }: Content): string {
  const credits = attribution ? [`<i>${escaped(attribution.text)}</i>`] : [];
  const closing = [...footer.map((line) => `<i>${escaped(line)}</i>`), ...credits];
  const textOf = (parts: Block[]) =>
    [bold(heading), ...parts.flatMap((block) => partsOf(block, language)), ...closing].join("\n\n");
  return textOf(shortened(blocks, (parts) => lengthOf(textOf(parts)) <= MAX_TEXT) ?? []);
}
