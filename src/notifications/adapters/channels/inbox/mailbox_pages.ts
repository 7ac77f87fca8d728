import { emptyItem, live, type PageOptions, page, tabPage, timeOf } from "./mailbox_shell.ts";

/** A mail as stored by the development mailbox. */
export type StoredMail = {
  id: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  date: string;
  messageId: string;
  /** A one-time code, for signing in and the like. */
  code?: string;
};

const e = Bun.escapeHTML;

/** An item of the list; shows the code, which is often all that is needed. */
function mailItem({ id, to, subject, date, code }: StoredMail, { say }: PageOptions): string {
  const name = `<a class="mb-name" href="/mailbox/${e(id)}">${e(subject)}</a>`;
  const shown = code === undefined ? "" : `<span class="mb-code" title="${e(say("mailbox.code"))}">${e(code)}</span>`;
  const meta = `<span class="mb-meta">${e(to)}</span><span class="mb-meta">${timeOf(new Date(date))}</span>`;
  return `<li class="mb-item" id="mail-${e(id)}"><div class="mb-line">${name}${shown}</div><div class="mb-line">${meta}</div></li>`;
}

export function listPage(mails: StoredMail[], options: PageOptions): string {
  const items =
    mails.length > 0 ? mails.map((mail) => mailItem(mail, options)) : [emptyItem(options.say("mailbox.empty"))];
  return tabPage("mail", live("mails", items), options);
}

/**
 * Moves style attributes, which the content security policy blocks, into the page's style element. Values are escaped, so a
 * quoted `style="` is always the layout's own.
 */
function withRules(html: string): { body: string; styles: string } {
  const rules = new Map<string, string>();
  const body = html.replaceAll(/ style="([^"]*)"/g, (_, declarations: string) => {
    const name = rules.get(declarations) ?? `s${rules.size}`;
    rules.set(declarations, name);
    return ` data-style="${name}"`;
  });
  const styles = [...rules].map(
    ([declarations, name]) => `[data-style="${name}"] { ${declarations.replaceAll("&#x27;", "'")} }`,
  );
  return { body, styles: styles.join("\n") };
}

/** The mail's own HTML within our page. */
export function previewOf(html: string): { body: string; styles: string } {
  return withRules(/<body[^>]*>([\s\S]*)<\/body>/.exec(html)?.[1] ?? "");
}

/** The mail as a page of its own, with its body element and its rules for dark mode and narrow screens. */
export function framed(html: string): { body: string; styles: string } {
  const { body, styles } = withRules(/<body[\s\S]*<\/body>/.exec(html)?.[0] ?? "");
  return { body, styles: `${styles}\n${/<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? ""}` };
}

export function messagePage({ to, subject, date, html, text }: StoredMail, options: PageOptions): string {
  const { say } = options;
  const { body, styles } = previewOf(html);
  const facts = [
    `<dt>${e(say("mailbox.to"))}</dt><dd>${e(to)}</dd>`,
    `<dt>${e(say("mailbox.date"))}</dt><dd>${timeOf(new Date(date))}</dd>`,
  ];
  const parts = [
    `<p><a class="mb-back" href="/mailbox">${e(say("mailbox.back"))}</a></p>`,
    `<h1 class="mb-title">${e(subject)}</h1><dl class="mb-facts">${facts.join("")}</dl>`,
    `<div class="mb-preview">${body}</div>`,
    `<h2>${e(say("mailbox.as_text"))}</h2><pre class="mb-text">${e(text)}</pre>`,
  ];
  return page({ title: subject, body: parts.join(""), styles }, options);
}
