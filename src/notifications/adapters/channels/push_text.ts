import type { Content, Link } from "../../messages/content.ts";
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

/** Text for small screens: as many parts as fit, in order, always with the attribution of the source. */
export function pushText(content: Content, limits: Limits, { links }: { links: boolean }): PushText {
  const { language, subject, heading, blocks, attribution } = content;
  const link = blocks.find((block) => block.kind === "button");
  const parts = blocks.filter((block) => block !== link).map((part) => textBlock(part, language));
  const credit = attribution ? [attribution.text, ...attribution.links.map(({ url }) => url)].join(" ") : "";
  const end = [...(links ? content.links.map((each) => textLink(each, language)) : []), credit].filter(
    (text) => text !== "",
  );
  const join = (texts: string[]) => texts.join("\n\n");
  const fits = (text: string) => [...text].length <= limits.characters && Buffer.byteLength(text) <= limits.bytes;

  const shown: string[] = [];
  for (const part of parts) {
    if (!fits(join([...shown, part, ...end]).toWellFormed())) break;
    shown.push(part);
  }
  const [first] = parts;
  if (shown.length === 0 && first !== undefined) {
    const rest = end.length > 0 ? `\n\n${join(end)}` : "";
    shown.push(cut(first, limits.characters - [...rest].length, limits.bytes - Buffer.byteLength(rest)));
  }
  return {
    title: cut(subject || heading, limits.title),
    body: cut(join([...shown, ...end]).trim() || heading, limits.characters, limits.bytes),
    link: link && { label: link.label, url: link.url },
  };
}
