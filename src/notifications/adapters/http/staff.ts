import { type Context, Hono } from "hono";
import * as v from "valibot";
import { json, param, query } from "../../../http/body.ts";
import { hidden } from "../../../http/describe.ts";
import { reply, replyFailure } from "../../../http/reply.ts";
import { contentSecurityPolicy, newNonce } from "../../../http/security.ts";
import { confirmedSession, type HttpEnv, type SignedInEnv, staffSession } from "../../../http/session.ts";
import { LANGUAGES, localeOf } from "../../../shared/language.ts";
import { ok } from "../../../shared/result.ts";
import { text, uuid } from "../../../shared/text.ts";
import type { Notifications } from "../../mod.ts";
import { layOut } from "../channels/email/email_layout.ts";
import { framed } from "../channels/inbox/mailbox_pages.ts";

const actorOf = (c: Context<SignedInEnv>) => ({ by: "staff" as const, accountId: c.get("session").accountId });
const id = v.object({ id: uuid() });
const nothing = v.strictObject({});
const page = v.strictObject({
  page: v.optional(v.pipe(text(6), v.regex(/^[1-9]\d{0,5}$/), v.transform(Number)), "1"),
});
const language = v.picklist(LANGUAGES);
const sample = v.object({ kind: text(60), language });

/** Can only be framed by our own page; runs no scripts and leads nowhere. */
function framePolicy(nonce: string): string {
  return `${contentSecurityPolicy(nonce).replace("frame-ancestors 'none'", "frame-ancestors 'self'")}; sandbox`;
}

/** Undeliverable messages, and samples of every kind of message. */
export function notificationStaffRoutes(notifications: Notifications) {
  return new Hono<HttpEnv>()
    .get("/api/staff/dead-letters", hidden, staffSession, query(page), async (c) =>
      reply(c, ok(await notifications.listDead(c.req.valid("query").page))),
    )
    .post(
      "/api/staff/dead-letters/:id/resend",
      hidden,
      staffSession,
      confirmedSession,
      param(id),
      json(nothing),
      async (c) => reply(c, await notifications.resendAs(c.req.valid("param").id, actorOf(c))),
    )
    .get("/api/staff/mails", hidden, staffSession, query(v.strictObject({ language })), (c) =>
      c.json({ mails: notifications.mailKinds(c.req.valid("query").language) }),
    )
    .get("/api/staff/mails/:kind/:language", hidden, staffSession, param(sample), (c) => {
      const { kind, language } = c.req.valid("param");
      const found = notifications.mailSample(kind, language);
      if (!found.ok) return replyFailure(c, found);
      return c.json({ subject: found.value.subject, preview: found.value.preview, text: layOut(found.value).text });
    })
    .get("/api/staff/mails/:kind/:language/html", hidden, staffSession, param(sample), (c) => {
      const { kind, language } = c.req.valid("param");
      const found = notifications.mailSample(kind, language);
      if (!found.ok) return replyFailure(c, found);
      const nonce = newNonce();
      const { body, styles } = framed(layOut(found.value).html);
      const metas = `<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">`;
      const head = `<meta charset="utf-8">${metas}<title>&#8203;</title><style nonce="${nonce}">${styles}</style>`;
      const html = `<!doctype html><html lang="${localeOf(language)}"><head>${head}</head>${body}</html>`;
      return c.html(html, 200, { "Content-Security-Policy": framePolicy(nonce), "Cache-Control": "no-store" });
    });
}
