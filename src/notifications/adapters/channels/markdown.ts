import type { PushText } from "./push_text.ts";

/** Plain text in Markdown: what would format it, link or quote is escaped. */
export function markdown(text: string): string {
  return text.replaceAll(/[\\`*_~|[\]<>#]/g, String.raw`\$&`);
}

/** A message in Markdown: its title in bold, its text, and its link. */
export function markdownOf({ title, body, link }: PushText): string {
  const more = link ? [`[${markdown(link.label)}](${link.url})`] : [];
  return [`**${markdown(title)}**`, markdown(body), ...more].join("\n\n");
}
