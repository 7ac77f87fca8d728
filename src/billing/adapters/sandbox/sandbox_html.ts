import { type Language, localeOf } from "../../../shared/language.ts";
import { formatMoney } from "../../../shared/money.ts";
import { PRODUCT } from "../../../shared/product.ts";
import { priceOf } from "../../plan.ts";
import { actsFor, type PortalAct } from "./sandbox_acts.ts";
import type { SandboxInvoice, SandboxSession, SandboxSubscription } from "./sandbox_state.ts";

type Params = Record<string, string | number | Date>;
export type SandboxWords = { language: Language; nonce: string; say: (key: string, params?: Params) => string };

const STYLE = `
.sb { margin: 0; background: #f3f5fa; color: #1c2434; font: 16px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
.sb-main { max-width: 560px; margin: 0 auto; padding: 40px 20px 64px; }
.sb-card { padding: 28px; background: #fff; border: 1px solid #e3e8f1; border-radius: 12px; }
.sb-note { margin: 0 0 20px; padding: 12px 16px; background: #fff6df; border: 1px solid #ecd9a4; border-radius: 8px; color: #5c4508; }
.sb-title { margin: 0 0 16px; font-size: 26px; line-height: 1.25; overflow-wrap: anywhere; }
.sb-facts { display: grid; grid-template-columns: max-content 1fr; gap: 6px 20px; margin: 0 0 24px; }
.sb-facts dt { color: #5a6478; }
.sb-facts dd { margin: 0; overflow-wrap: anywhere; }
.sb-form { margin: 0 0 12px; }
.sb-button { width: 100%; min-height: 44px; padding: 10px 16px; border: 1px solid #3056d3; border-radius: 8px; background: #fff; color: #3056d3; font: inherit; font-weight: 600; cursor: pointer; }
.sb-main-button { background: #3056d3; color: #fff; }
.sb-button:focus-visible, .sb a:focus-visible { outline: 3px solid #8aa4f4; outline-offset: 2px; }
.sb a { color: #3056d3; }
.sb h2 { font-size: 18px; margin: 28px 0 8px; }
.sb ul { margin: 0; padding: 0; list-style: none; }
.sb li { padding: 8px 0; border-bottom: 1px solid #e3e8f1; }
`;

const e = Bun.escapeHTML;

function page(title: string, body: string, { language, nonce, say }: SandboxWords): string {
  return `<!doctype html>
<html lang="${localeOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light">
<title>${e(title)} · ${PRODUCT}</title>
<style nonce="${e(nonce)}">${STYLE}</style>
</head>
<body class="sb"><main class="sb-main"><div class="sb-card">
<p class="sb-note" role="note">${e(say("sandbox.note"))}</p>
<h1 class="sb-title">${e(title)}</h1>
${body}
</div></main></body>
</html>
`;
}

function facts(list: [label: string, value: string][]): string {
  return `<dl class="sb-facts">${list.map(([label, value]) => `<dt>${e(label)}</dt><dd>${e(value)}</dd>`).join("")}</dl>`;
}

function button(label: string, value: string, isMain = false): string {
  const look = isMain ? "sb-button sb-main-button" : "sb-button";
  return `<form class="sb-form" method="post"><button class="${look}" name="act" value="${e(value)}">${e(label)}</button></form>`;
}

type Bought = Pick<SandboxSession, "plan" | "quantity" | "period" | "currency">;

function boughtFacts({ plan, quantity, period, currency }: Bought, { language, say }: SandboxWords) {
  const name = say(`sandbox.plan.${plan}`);
  const amount = priceOf(plan, period, currency) * quantity;
  return [
    [say("sandbox.plan"), quantity === 1 ? name : `${quantity} × ${name}`],
    [say("sandbox.amount"), `${formatMoney({ amount, currency }, language)} ${say(`sandbox.per.${period}`)}`],
  ] as [string, string][];
}

export function checkoutPage(session: SandboxSession, email: string, words: SandboxWords): string {
  const { say } = words;
  const list: [string, string][] = [[say("sandbox.account"), email], ...boughtFacts(session, words)];
  const forms = `${button(say("sandbox.pay"), "pay", true)}${button(say("sandbox.leave"), "leave")}`;
  return page(say("sandbox.checkout"), facts(list) + forms, words);
}

/** For sessions and portals that have ended. */
export function endedPage(words: SandboxWords): string {
  const { say, language } = words;
  const back = `<p><a href="/${language}/subscription">${e(say("sandbox.back"))}</a></p>`;
  return page(say("sandbox.ended"), `<p>${e(say("sandbox.ended_text"))}</p>${back}`, words);
}

type Portal = { email: string; subscription: SandboxSubscription | undefined; invoices: SandboxInvoice[] };

function stateOf({ status, cancels, failsNext, periodEnd }: SandboxSubscription, { say }: SandboxWords): string {
  const date = new Date(periodEnd);
  if (status !== "active") return say("sandbox.state.unpaid");
  if (cancels) return say("sandbox.state.ends", { date });
  return say(failsNext ? "sandbox.state.will_fail" : "sandbox.state.renews", { date });
}

const MAIN: readonly PortalAct[] = ["pay", "keep"];

export function portalPage({ email, subscription, invoices }: Portal, words: SandboxWords): string {
  const { say, language } = words;
  const bought: [string, string][] = subscription
    ? [...boughtFacts(subscription, words), [say("sandbox.state"), stateOf(subscription, words)]]
    : [[say("sandbox.state"), say("sandbox.state.none")]];
  const acts = subscription ? actsFor(subscription) : [];
  const forms = acts.map((act) => button(say(`sandbox.act.${act}`), act, MAIN.includes(act))).join("");
  const rows = invoices.map((invoice) => {
    const text = `${invoice.number} · ${formatMoney(invoice, language)}`;
    return `<li><a href="/sandbox/invoice/${e(invoice.id)}">${e(text)}</a></li>`;
  });
  const list = rows.length > 0 ? `<h2>${e(say("sandbox.invoices"))}</h2><ul>${rows.join("")}</ul>` : "";
  const back = `<p><a href="/${language}/profile">${e(say("sandbox.back"))}</a></p>`;
  return page(say("sandbox.portal"), facts([[say("sandbox.account"), email], ...bought]) + forms + list + back, words);
}

export function invoicePage(invoice: SandboxInvoice, email: string, words: SandboxWords): string {
  const { say, language } = words;
  const { plan, quantity, at, state } = invoice;
  const name = say(`sandbox.plan.${plan}`);
  const list: [string, string][] = [
    [say("sandbox.account"), email],
    [say("sandbox.date"), say("sandbox.day", { date: new Date(at) })],
    [say("sandbox.plan"), quantity === 1 ? name : `${quantity} × ${name}`],
    [say("sandbox.amount"), formatMoney(invoice, language)],
    [say("sandbox.state"), say(`sandbox.invoice.${state}`)],
  ];
  return page(`${say("sandbox.invoice")} ${invoice.number}`, facts(list), words);
}
