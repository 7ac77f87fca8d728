import { type Context, Hono } from "hono";
import { contentSecurityPolicy, newNonce } from "../../../http/security.ts";
import type { HttpEnv } from "../../../http/session.ts";
import type { Language } from "../../../shared/language.ts";
import type { SandboxPayments, SignedEvent } from "./sandbox.ts";
import { PORTAL_ACTS, portalOf, sandboxActs } from "./sandbox_acts.ts";
import { checkoutPage, endedPage, invoicePage, portalPage, type SandboxWords } from "./sandbox_html.ts";

export type SandboxPagesDeps = {
  payments: SandboxPayments;
  publicUrl: string;
  /** Calls our own webhook. */
  deliver: (event: SignedEvent) => Promise<unknown>;
  translate: (language: Language, key: string, params?: Record<string, string | number | Date>) => string;
};

/** The pages of the sandbox payment provider. Anyone who has such a URL may use it, as with a real provider. */
export function sandboxPages({ payments, publicUrl, deliver, translate }: SandboxPagesDeps) {
  const { pay, act } = sandboxActs(payments);
  const { origin } = new URL(publicUrl);

  function show(
    c: Context<HttpEnv>,
    language: Language,
    render: (words: SandboxWords) => string,
    status: 200 | 404 = 200,
  ) {
    const nonce = newNonce();
    const words: SandboxWords = { language, nonce, say: (key, params) => translate(language, key, params) };
    const headers = { "Cache-Control": "no-store", "Content-Security-Policy": contentSecurityPolicy(nonce) };
    return c.html(render(words), status, headers);
  }
  const ended = (c: Context<HttpEnv>, language: Language = "en") => show(c, language, endedPage, 404);

  const visitOf = (sessionId: string) =>
    payments.look((state) => {
      const session = state.sessions[sessionId];
      const customer = session && state.customers[session.customerId];
      return session && customer && { session, customer };
    });

  return new Hono<HttpEnv>()
    .use("/sandbox/*", async (c, next) => {
      const site = c.req.header("Sec-Fetch-Site");
      const isOwn = site === undefined ? c.req.header("Origin") === origin : site === "same-origin";
      return c.req.method === "GET" || isOwn ? next() : c.text("", 403);
    })
    .get("/sandbox/checkout/:id", (c) => {
      const { session, customer } = visitOf(c.req.param("id")) ?? {};
      if (session?.state !== "open" || !customer) return ended(c, session?.language);
      return show(c, session.language, (words) => checkoutPage(session, customer.email, words));
    })
    .post("/sandbox/checkout/:id", async (c) => {
      const sessionId = c.req.param("id");
      const { session, customer } = visitOf(sessionId) ?? {};
      if (session?.state !== "open" || !customer) return ended(c, session?.language);
      const { act } = await c.req.parseBody();
      if (act !== "pay") return c.redirect(`${publicUrl}/${session.language}/subscription`, 303);
      const event = pay(sessionId);
      if (event) await deliver(event);
      return c.redirect(`${publicUrl}/${session.language}/success-order#t=${sessionId}`, 303);
    })
    .get("/sandbox/portal/:id", (c) => {
      const portal = payments.look((state, at) => portalOf(state, c.req.param("id"), at));
      if (!portal) return ended(c);
      const { email } = portal.customer;
      return show(c, portal.language, (words) => portalPage({ ...portal, email }, words));
    })
    .post("/sandbox/portal/:id", async (c) => {
      const form = await c.req.parseBody();
      const wanted = PORTAL_ACTS.find((name) => name === form.act);
      const event = wanted && act(c.req.param("id"), wanted);
      if (!event) return ended(c);
      await deliver(event);
      return c.redirect(`/sandbox/portal/${c.req.param("id")}`, 303);
    })
    .get("/sandbox/invoice/:id", (c) => {
      const { invoice, customer } = payments.look((state) => {
        const invoice = state.invoices[c.req.param("id")];
        return { invoice, customer: invoice && state.customers[invoice.customerId] };
      });
      if (!invoice || !customer) return ended(c);
      return show(c, customer.language, (words) => invoicePage(invoice, customer.email, words));
    });
}
