import type { Block, BreachItem, Content, Link } from "../content.ts";

function textBlock(part: Block): string {
  switch (part.kind) {
    case "paragraph":
      return part.text;
    case "note":
      return `${part.label}. ${part.text}`;
    case "facts":
      return part.facts.map(({ label, value }) => `${label}: ${value}`).join("\n");
    case "tags":
      return `${part.label}: ${part.tags.join(", ")}`;
    case "steps":
      return [part.label, ...part.steps.map((step, index) => `${index + 1}. ${step}`)].join("\n");
    case "breaches":
      return [part.label, ...part.breaches.map(textBreach)].join("\n\n");
    case "button":
      return textLink(part);
  }
}

function textBreach({ title, badges, facts }: BreachItem): string {
  const name = [title, ...badges.map((badge) => `[${badge}]`)].join(" ");
  return [`- ${name}`, ...facts.map(({ label, value }) => `  ${label}: ${value}`)].join("\n");
}

function textLink({ label, url }: Link): string {
  return `${label}:\n${url}`;
}

/** The plain text part: the same words, with every link in full on a line of its own. */
export function textOf({ code, heading, blocks, footer, links, attribution }: Content): string {
  const parts = [
    ...(code ? [code.line] : [heading]),
    ...blocks.map(textBlock),
    "-- ",
    ...footer,
    ...links.map(textLink),
    ...(attribution ? [[attribution.text, ...attribution.links.map(({ url }) => url)].join("\n")] : []),
  ];
  return `${parts.join("\n\n")}\n`;
}
