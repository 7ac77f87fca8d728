import type { Language } from "../../shared/language.ts";
import { PRODUCT } from "../../shared/product.ts";
import { escapeHtml } from "./email_layout.ts";

/** One mail as the development mailbox keeps it. */
export type StoredMail = {
  id: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  date: string;
  messageId: string;
};

export type MailboxWords = { language: Language; say: (key: string) => string };
type PageOptions = MailboxWords & { nonce: string };

const e = escapeHtml;

const STYLE = `
.mb { margin: 0; background: #f3f5fa; color: #1c2434; font: 16px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
.mb-main { max-width: 880px; margin: 0 auto; padding: 40px 20px 64px; }
.mb-title { margin: 0 0 8px; font-size: 28px; }
.mb-intro { margin: 0 0 28px; color: #5a6478; }
.mb-table { width: 100%; border-collapse: collapse; background: #fff; border: 1px solid #e3e8f1; }
.mb-table th, .mb-table td { padding: 12px 16px; text-align: start; vertical-align: top; border-bottom: 1px solid #e3e8f1; overflow-wrap: anywhere; }
.mb-table th { font-size: 14px; color: #5a6478; }
.mb-back, .mb-table a { color: #3056d3; }
.mb-facts { display: grid; grid-template-columns: max-content 1fr; gap: 4px 20px; margin: 24px 0; }
.mb-facts dt { color: #5a6478; }
.mb-facts dd { margin: 0; overflow-wrap: anywhere; }
.mb-preview { overflow: hidden; border: 1px solid #e3e8f1; border-radius: 12px; }
.mb-text { padding: 20px; overflow-x: auto; background: #fff; border: 1px solid #e3e8f1; border-radius: 12px; font: 14px/1.6 ui-monospace, Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

type Part = { title: string; body: string; styles?: string };

function page({ title, body, styles = "" }: Part, { nonce, language }: PageOptions): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light">
<title>${e(title)} · ${PRODUCT}</title>
<style nonce="${e(nonce)}">${STYLE}${styles}</style>
</head>
<body class="mb"><main class="mb-main">${body}</main></body>
</html>
`;
}

function timeOf(date: string): string {
  return `<time datetime="${e(date)}">${e(date.slice(0, 19).replace("T", " "))} UTC</time>`;
}

export function listPage(mails: StoredMail[], options: PageOptions): string {
  const { say } = options;
  const rows = mails.map(
    ({ id, to, subject, date }) =>
      `<tr><td><a href="/mailbox/${e(id)}">${e(subject)}</a></td><td>${e(to)}</td><td>${timeOf(date)}</td></tr>`,
  );
  const head = ["subject", "to", "date"].map((key) => `<th scope="col">${e(say(`mailbox.${key}`))}</th>`).join("");
  const list = `<table class="mb-table"><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
  const title = say("mailbox.title");
  const body = `<h1 class="mb-title">${e(title)}</h1><p class="mb-intro">${e(say("mailbox.intro"))}</p>${mails.length > 0 ? list : `<p>${e(say("mailbox.empty"))}</p>`}`;
  return page({ title, body }, options);
}

/**
 * Style attributes would be refused by the policy, so each becomes a rule of the page's one style element. Values are
 * escaped, so a quoted `style="` is always the layout's own.
 */
function withRules(html: string): { body: string; styles: string } {
  const rules = new Map<string, string>();
  const body = html.replaceAll(/ style="([^"]*)"/g, (_, declarations: string) => {
    const name = rules.get(declarations) ?? `s${rules.size}`;
    rules.set(declarations, name);
    return ` data-style="${name}"`;
  });
  const styles = [...rules].map(
    ([declarations, name]) => `[data-style="${name}"] { ${declarations.replaceAll("&#39;", "'")} }`,
  );
  return { body, styles: styles.join("\n") };
}

/** The mail's own HTML inside our page. */
export function previewOf(html: string): { body: string; styles: string } {
  return withRules(/<body[^>]*>([\s\S]*)<\/body>/.exec(html)?.[1] ?? "");
}

/** The mail for a page of its own: with its body element, and with its rules for the dark and for narrow screens. */
export function framed(html: string): { body: string; styles: string } {
  const { body, styles } = withRules(/<body[\s\S]*<\/body>/.exec(html)?.[0] ?? "");
  return { body, styles: `${styles}\n${/<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? ""}` };
}

export function messagePage({ to, subject, date, html, text }: StoredMail, options: PageOptions): string {
  const { say } = options;
  const { body, styles } = previewOf(html);
  const facts = [
    `<dt>${e(say("mailbox.to"))}</dt><dd>${e(to)}</dd>`,
    `<dt>${e(say("mailbox.date"))}</dt><dd>${timeOf(date)}</dd>`,
  ];
  const parts = [
    `<p><a class="mb-back" href="/mailbox">${e(say("mailbox.back"))}</a></p>`,
    `<h1 class="mb-title">${e(subject)}</h1><dl class="mb-facts">${facts.join("")}</dl>`,
    `<div class="mb-preview">${body}</div>`,
    `<h2>${e(say("mailbox.as_text"))}</h2><pre class="mb-text">${e(text)}</pre>`,
  ];
  return page({ title: subject, body: parts.join(""), styles }, options);
}
