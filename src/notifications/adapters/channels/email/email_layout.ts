import { type Language, localeOf } from "../../../../shared/language.ts";
import { PRODUCT } from "../../../../shared/product.ts";
import type { Level } from "../../../../shared/severity.ts";
import { type Block, type BreachItem, type Content, colonIn, type Link } from "../../../messages/content.ts";
import { textOf } from "./email_text.ts";

const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const MONO = "ui-monospace,SFMono-Regular,Menlo,Consolas,monospace";
const ACCENT = "#3056d3";
const [INK, MUTED, LINE, PAGE, CARD, TINT, WARM] = [
  "#1c2434",
  "#5a6478",
  "#e3e8f1",
  "#f3f5fa",
  "#ffffff",
  "#eef2fd",
  "#fff6e0",
];

/** Colours for mail programs that support dark mode; others use the inline styles. */
const DARK = `@media (prefers-color-scheme: dark) {
.bb-page { background-color: #10141d !important; }
.bb-card { background-color: #1a2030 !important; border-color: #2b3448 !important; }
.bb-ink, .bb-ink a { color: #e9edf5 !important; }
.bb-muted, .bb-muted a { color: #a4afc2 !important; }
.bb-line { border-top-color: #2b3448 !important; }
.bb-tint { background-color: #26314d !important; color: #d5dffb !important; }
.bb-warm { background-color: #322a16 !important; }
.bb-hot { background-color: #3a2019 !important; }
.bb-alarm { background-color: #421c26 !important; }
.bb-link { color: #9db4ff !important; }
}
@media (max-width: 520px) { .bb-card { padding: 28px 22px !important; } }
.bb-preview { display: none; }`;

/**
 * Invisible padding after the preview, as lists of mails would otherwise show the beginning of the text, which may be private.
 */
const GAP = "&#847;&zwnj;&nbsp;".repeat(90);

/** Hides the preview where the style sheet above is dropped, too. Spam filters take `display:none` here for a trick. */
const PREVIEW = "max-width:0;max-height:0;overflow:hidden;mso-hide:all";

const e = Bun.escapeHTML;
const TEXT = `font-family:${FONT};font-size:16px;line-height:1.6;`;
const LABEL = `font-family:${FONT};font-size:13px;line-height:1.4;font-weight:600;color:${MUTED};`;
const table = (style: string, rows: string) =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:separate;${style}">${rows}</table>`;
const heading = (label: string) =>
  `<h2 class="bb-ink" style="margin:32px 0 12px;font-family:${FONT};font-size:18px;line-height:1.35;font-weight:650;color:${INK}">${e(label)}</h2>`;

function button({ label, url }: Link): string {
  const link = `<a href="${e(url)}" style="display:inline-block;padding:14px 28px;font-family:${FONT};font-size:16px;line-height:1.25;font-weight:600;color:#ffffff;text-decoration:none;border-radius:10px;background-color:${ACCENT}">${e(label)}</a>`;
  const shape = `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 20px"><tr><td bgcolor="${ACCENT}" style="border-radius:10px">${link}</td></tr></table>`;
  // Some mail filters cut off the token, which a reader can then copy.
  return url.includes("#t=")
    ? `${shape}<p class="bb-muted" style="margin:0 0 20px;font-family:${FONT};font-size:13px;line-height:1.55;color:${MUTED};word-break:break-all">${e(url)}</p>`
    : shape;
}

function facts(list: { label: string; value: string }[]): string {
  const rows = list.map(({ label, value }, index) => {
    const line = index === 0 ? "" : `border-top:1px solid ${LINE};`;
    return `<tr><td class="bb-muted bb-line" width="38%" valign="top" style="${line}padding:11px 12px 11px 0;font-family:${FONT};font-size:15px;line-height:1.45;color:${MUTED}">${e(label)}</td><td class="bb-ink bb-line" valign="top" style="${line}padding:11px 0;font-family:${FONT};font-size:15px;line-height:1.45;font-weight:600;color:${INK};word-break:break-word;overflow-wrap:anywhere">${e(value)}</td></tr>`;
  });
  return table("margin:20px 0 8px;", rows.join(""));
}

function tag(text: string, colours: string): string {
  return `<span ${colours}font-family:${FONT};font-size:14px;line-height:1.3;font-weight:500">${e(text)}</span> `;
}
const TAG = `class="bb-tint" style="display:inline-block;margin:0 4px 8px 0;padding:6px 12px;border-radius:999px;background-color:${TINT};color:#24408f;`;
const BADGE = `class="bb-warm bb-ink" style="display:inline-block;margin:0 4px 4px 0;padding:2px 9px;border-radius:999px;background-color:${WARM};color:#6b4a00;`;

/** Tint and edge colour by severity, which is also given in words. */
const LEVEL: Record<Level, { name: string; tint: string; edge: string }> = {
  low: { name: "bb-tint", tint: TINT, edge: "#7d8cab" },
  medium: { name: "bb-warm", tint: WARM, edge: "#c98a00" },
  high: { name: "bb-hot", tint: "#ffece0", edge: "#d9560b" },
  critical: { name: "bb-alarm", tint: "#fde7ea", edge: "#c81e3c" },
};

function note({ label, text, level }: Extract<Block, { kind: "note" }>): string {
  const { name, tint, edge } = LEVEL[level ?? "medium"];
  const line = level ? `border-left:4px solid ${edge};` : "";
  return table(
    "margin:20px 0;",
    `<tr><td class="${name} bb-ink" style="padding:16px 20px;${line}border-radius:10px;background-color:${tint};${TEXT}font-size:15px;color:${INK}"><strong style="font-weight:650">${e(label)}.</strong> ${e(text)}</td></tr>`,
  );
}

/** The font is set on the cell only: mail programs truncate long mails, and a report may have fifty breaches. */
function breach({ title, badges, facts, level }: BreachItem, language: Language): string {
  const lines = facts.map(
    ({ label, value }) => `${e(label)}${colonIn(language)}<span class="bb-ink" style="color:${INK}">${e(value)}</span>`,
  );
  const marks = badges.map((badge) => `<span ${BADGE}font-size:13px">${e(badge)}</span>`).join(" ");
  const name = `<div class="bb-ink" style="margin:0 0 4px;font-size:16px;font-weight:650;color:${INK}">${e(title)}</div>`;
  return `<tr><td class="bb-line bb-muted" style="padding:16px 0 16px 14px;border-top:1px solid ${LINE};border-left:4px solid ${LEVEL[level ?? "medium"].edge};font-family:${FONT};font-size:14px;line-height:1.55;color:${MUTED};overflow-wrap:anywhere">${name}${marks && `<div style="margin:0 0 6px">${marks}</div>`}${lines.join("<br>")}</td></tr>`;
}

function block(part: Block, language: Language): string {
  switch (part.kind) {
    case "paragraph":
      return `<p class="bb-ink" style="margin:0 0 16px;${TEXT}color:${INK};overflow-wrap:anywhere">${e(part.text)}</p>`;
    case "note":
      return note(part);
    case "facts":
      return facts(part.facts);
    case "tags":
      return `<div class="bb-muted" style="margin:20px 0 10px;${LABEL}">${e(part.label)}</div><div style="margin:0 0 20px">${part.tags.map((text) => tag(text, TAG)).join("")}</div>`;
    case "steps":
      return `${heading(part.label)}<ol class="bb-ink" style="margin:0;padding:0 0 0 22px;${TEXT}color:${INK}">${part.steps.map((step) => `<li style="margin:0 0 12px;padding:0 0 0 6px">${e(step)}</li>`).join("")}</ol>`;
    case "breaches":
      return `${heading(part.label)}${table("", part.breaches.map((each) => breach(each, language)).join(""))}`;
    case "button":
      return button(part);
  }
}

function code({ code }: Content): string {
  if (!code) return "";
  return table(
    "margin:8px 0 24px;",
    `<tr><td class="bb-tint" align="center" style="padding:24px 16px;border-radius:12px;background-color:${TINT};color:#1d2f6f;font-family:${MONO};font-size:38px;line-height:1.2;font-weight:700;letter-spacing:8px;-webkit-user-select:all;user-select:all">${e(code.value)}</td></tr>`,
  );
}

function footer({ footer, links, attribution }: Content): string {
  const style = `margin:0 0 10px;font-family:${FONT};font-size:13px;line-height:1.55;color:${MUTED};overflow-wrap:anywhere`;
  const link = ({ label, url }: Link) =>
    `<a class="bb-link" href="${e(url)}" style="color:${ACCENT};text-decoration:underline;white-space:nowrap">${e(label)}</a>`;
  const paragraphs = [
    ...footer.map(e),
    ...links.map(link),
    ...(attribution ? [`${e(attribution.text)} ${attribution.links.map(link).join(" · ")}`] : []),
  ];
  return paragraphs.map((text) => `<p class="bb-muted" style="${style}">${text}</p>`).join("");
}

function htmlOf(content: Content): string {
  const brand = `<span style="display:inline-block;width:30px;height:30px;border-radius:9px;background-color:${ACCENT};color:#ffffff;text-align:center;font-family:${FONT};font-size:17px;line-height:30px;font-weight:700">${PRODUCT.slice(0, 1)}</span><span class="bb-ink" style="padding-left:10px;font-family:${FONT};font-size:17px;line-height:30px;font-weight:650;color:${INK}">${PRODUCT}</span>`;
  const card = `<h1 class="bb-ink" style="margin:0 0 16px;font-family:${FONT};font-size:26px;line-height:1.25;font-weight:700;letter-spacing:-.01em;color:${INK};overflow-wrap:anywhere">${e(content.heading)}</h1>${code(content)}${content.blocks.map((part) => block(part, content.language)).join("")}`;
  const rows = `<tr><td style="padding:0 8px 20px">${brand}</td></tr><tr><td class="bb-card" style="padding:40px 44px 28px;border:1px solid ${LINE};border-radius:18px;background-color:${CARD}">${card}</td></tr><tr><td style="padding:24px 8px 0">${footer(content)}</td></tr>`;
  const column = `<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px;border-collapse:separate;text-align:left">${rows}</table>`;
  return `<!doctype html>
<html lang="${localeOf(content.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${e(content.subject)}</title>
<style>${DARK}</style>
</head>
<body class="bb-page" style="margin:0;padding:0;background-color:${PAGE}">
<div class="bb-preview" style="${PREVIEW}">${e(content.preview)}${GAP}</div>
<table class="bb-page" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" lang="${localeOf(content.language)}" style="background-color:${PAGE}"><tr><td align="center" style="padding:36px 16px 48px">${column}</td></tr></table>
</body>
</html>
`;
}

/** Renders a message as the two parts of a mail. All foreign text is escaped, and no remote content is loaded. */
export function layOut(content: Content): { html: string; text: string } {
  return { html: htmlOf(content), text: textOf(content) };
}
