import { type Language, localeOf } from "../../../../shared/language.ts";
import { PRODUCT } from "../../../../shared/product.ts";
import type { TextParams } from "../../../ports.ts";

/** The tabs of the local inbox, as in its URLs. */
export type Tab = "mail" | "telegram" | "pushover";
export const SCRIPT = "/mailbox/inbox.js";

export type InboxWords = {
  language: Language;
  say: (key: string, params?: TextParams) => string;
  /** The channels that are delivered locally. */
  tabs: Tab[];
};
/** Without a nonce the page has no styles, as when another page's script fetches it to update itself. */
export type PageOptions = InboxWords & { nonce: string | undefined };

const e = Bun.escapeHTML;

const STYLE = `
.mb { --mb-page: #f3f5fa; --mb-card: #fff; --mb-ink: #1c2434; --mb-muted: #5a6478; --mb-line: #e3e8f1; --mb-link: #3056d3; --mb-tint: #eef2fd; --mb-alarm: #fde7ea; margin: 0; background: var(--mb-page); color: var(--mb-ink); font: 16px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
@media (prefers-color-scheme: dark) {
.mb { --mb-page: #10141d; --mb-card: #1a2030; --mb-ink: #e9edf5; --mb-muted: #a4afc2; --mb-line: #2b3448; --mb-link: #9db4ff; --mb-tint: #26314d; --mb-alarm: #421c26; }
}
.mb-main { max-width: 880px; margin: 0 auto; padding: 40px 20px 64px; }
.mb-title { margin: 0 0 8px; font-size: 28px; line-height: 1.25; overflow-wrap: anywhere; }
.mb-intro { margin: 0 0 24px; color: var(--mb-muted); }
.mb-tabs { display: flex; gap: 4px; margin: 0 0 24px; border-bottom: 1px solid var(--mb-line); }
.mb .mb-tabs a { min-height: 44px; padding: 10px 16px; box-sizing: border-box; border-bottom: 3px solid transparent; color: var(--mb-muted); font-weight: 600; text-decoration: none; }
.mb .mb-tabs a[aria-current] { border-color: var(--mb-link); color: var(--mb-ink); }
.mb a { color: var(--mb-link); }
.mb-list { margin: 0; padding: 0; list-style: none; }
.mb-item, .mb-card { margin: 0 0 12px; padding: 16px 20px; border: 1px solid var(--mb-line); border-radius: 12px; background: var(--mb-card); overflow-wrap: anywhere; }
.mb-item[data-emergency] { border-color: #d3455b; background: var(--mb-alarm); }
.mb-item[data-own] { margin-inline-start: 15%; background: var(--mb-tint); }
.mb-line { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 4px 20px; }
.mb-name { font-weight: 650; }
.mb-code { padding: 2px 10px; border-radius: 8px; background: var(--mb-tint); font: 700 20px/1.4 ui-monospace, Menlo, Consolas, monospace; letter-spacing: 2px; -webkit-user-select: all; user-select: all; }
.mb-key { display: inline-block; font-size: 16px; letter-spacing: 0; word-break: break-all; }
.mb-meta { color: var(--mb-muted); font-size: 14px; }
.mb-said { margin: 8px 0 0; white-space: pre-wrap; }
.mb-acts { display: flex; flex-wrap: wrap; gap: 8px; margin: 12px 0 0; }
.mb-acts form { display: contents; }
.mb button, .mb-button { min-height: 44px; padding: 8px 16px; box-sizing: border-box; border: 1px solid var(--mb-muted); border-radius: 10px; background: var(--mb-card); color: var(--mb-link); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
.mb button.mb-main-button { border-color: #3056d3; background: #3056d3; color: #fff; }
.mb input { min-height: 44px; padding: 8px 12px; box-sizing: border-box; border: 1px solid var(--mb-muted); border-radius: 10px; background: var(--mb-page); color: var(--mb-ink); font: inherit; max-width: 100%; }
.mb label { display: block; margin: 12px 0 4px; font-weight: 600; }
.mb h2 { margin: 0 0 8px; font-size: 18px; }
.mb :focus-visible { outline: 3px solid #8aa4f4; outline-offset: 2px; }
.mb-facts { display: grid; grid-template-columns: max-content 1fr; gap: 4px 20px; margin: 24px 0; }
.mb-facts dt { color: var(--mb-muted); }
.mb-facts dd { margin: 0; overflow-wrap: anywhere; }
.mb-preview { overflow: hidden; border: 1px solid var(--mb-line); border-radius: 12px; color-scheme: light; }
.mb-text { padding: 20px; overflow-x: auto; background: var(--mb-card); border: 1px solid var(--mb-line); border-radius: 12px; font: 14px/1.6 ui-monospace, Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

export type Part = { title: string; body: string; styles?: string; hasScript?: boolean };

export function page({ title, body, styles = "", hasScript = false }: Part, { nonce, language }: PageOptions): string {
  const style = nonce === undefined ? "" : `<style nonce="${e(nonce)}">${STYLE}${styles}</style>`;
  return `<!doctype html>
<html lang="${localeOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${e(title)} · ${PRODUCT}</title>
${style}${hasScript ? `\n<script src="${SCRIPT}" defer></script>` : ""}
</head>
<body class="mb"><main class="mb-main">${body}</main></body>
</html>
`;
}

export function timeOf(at: Date): string {
  const iso = at.toISOString();
  return `<time datetime="${e(iso)}">${e(iso.slice(0, 19).replace("T", " "))} UTC</time>`;
}

const PATHS: Record<Tab, string> = { mail: "/mailbox", telegram: "/mailbox/telegram", pushover: "/mailbox/pushover" };

/** A list that the script updates item by item, by their ids. */
export function live(id: string, items: string[]): string {
  return `<ul class="mb-list" id="${id}" data-live>${items.join("")}</ul>`;
}

export function emptyItem(text: string): string {
  return `<li class="mb-item" id="none">${e(text)}</li>`;
}

export function tabPage(tab: Tab, body: string, options: PageOptions): string {
  const { say, tabs } = options;
  const links = tabs.map((name) => {
    const current = name === tab ? ` aria-current="page"` : "";
    return `<a href="${PATHS[name]}"${current}>${e(say(`mailbox.${name}`))}</a>`;
  });
  const title = say("mailbox.title");
  const head = `<h1 class="mb-title">${e(title)}</h1><p class="mb-intro">${e(say("mailbox.intro"))}</p>`;
  const nav = `<nav class="mb-tabs" aria-label="${e(title)}">${links.join("")}</nav>`;
  return page({ title: `${say(`mailbox.${tab}`)} · ${title}`, body: head + nav + body, hasScript: true }, options);
}
