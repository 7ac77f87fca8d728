import type { Block, Content, Link } from "../../messages/content.ts";
import { shortened } from "../../messages/shorten.ts";
import { textBlock, textLink } from "./email/email_text.ts";

export type Limits = {
  title: number;
  /** In code points. */
  characters: number;
  /** In UTF-8. */
  bytes: number;
};
export type PushText = { title: string; body: string; link: Link | undefined };

/** Truncates at a character boundary, with an ellipsis. */
export function cut(text: string, characters: number, bytes = characters * 4): string {
  const fits = (part: string) => [...part].length <= characters && Buffer.byteLength(part) <= bytes;
  const whole = text.toWellFormed();
  if (fits(whole)) return whole;
  const points = [...whole].slice(0, Math.max(0, characters - 1));
  while (points.length > 0 && !fits(`${points.join("").trimEnd()}…`)) points.pop();
  return `${points.join("").trimEnd()}…`;
}

/** Text for small screens, shortened to the limits, always with the attribution of the source. */
export function pushText(content: Content, limits: Limits, { links }: { links: boolean }): PushText {
  const { language, subject, heading, blocks, attribution } = content;
  const link = blocks.find((block) => block.kind === "button");
  const credit = attribution ? [attribution.text, ...attribution.links.map(({ url }) => url)].join(" ") : "";
  const end = [...(links ? content.links.map((each) => textLink(each, language)) : []), credit].filter(
    (text) => text !== "",
  );
  const bodyOf = (parts: Block[]) =>
    [...parts.map((part) => textBlock(part, language)), ...end].join("\n\n").toWellFormed();
  const fits = (parts: Block[]) => {
    const body = bodyOf(parts);
    return [...body].length <= limits.characters && Buffer.byteLength(body) <= limits.bytes;
  };
  const parts = blocks.filter((block) => block !== link);
  const [first] = parts;
  const cutFirst = () => {
    const rest = end.length > 0 ? `\n\n${end.join("\n\n")}` : "";
    const start = first === undefined ? "" : textBlock(first, language);
    return cut(start, limits.characters - [...rest].length, limits.bytes - Buffer.byteLength(rest)) + rest;
  };
  const shown = shortened(parts, fits);
  return {
    title: cut(subject || heading, limits.title),
    body: cut((shown ? bodyOf(shown) : cutFirst()).trim() || heading, limits.characters, limits.bytes),
    link: link && { label: link.label, url: link.url },
  };
}
