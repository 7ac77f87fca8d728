import { type Context, Hono } from "hono";
import * as v from "valibot";
import { json } from "../../../http/body.ts";
import { describe, hidden } from "../../../http/describe.ts";
import { reply, replyFailure } from "../../../http/reply.ts";
import type { HttpEnv } from "../../../http/session.ts";
import { CHANNELS } from "../../../shared/contacts.ts";
import { FALLBACK_LANGUAGE, LANGUAGES } from "../../../shared/language.ts";
import { fail } from "../../../shared/result.ts";
import { linkInput } from "../../inputs.ts";
import type { Notifications } from "../../mod.ts";

const state = v.picklist(["unconfirmed", "active", "unsubscribed", "broken"]);
const changed = v.object({ state });
const inspected = v.object({
  purpose: v.picklist(["confirm", "unsubscribe", "summary"]),
  channel: v.picklist(CHANNELS),
  value: v.string(),
  state,
  language: v.picklist(LANGUAGES),
});

/** The targets of links in messages. GET changes nothing; a button on the page or a mail program's POST does. */
export function notificationRoutes(notifications: Notifications, { publicUrl }: { publicUrl: string }) {
  async function oneClick(c: Context<HttpEnv, "/u/:token">) {
    const form = await c.req.parseBody();
    if (form["List-Unsubscribe"] !== "One-Click") return replyFailure(c, fail("INVALID_INPUT"));
    const result = await notifications.unsubscribe(c.req.param("token"));
    return result.ok ? c.body(null, 200) : replyFailure(c, result);
  }

  return new Hono<HttpEnv>()
    .post(
      "/api/contact-links/inspect",
      describe("Get the purpose of a link in a message", inspected),
      json(linkInput),
      async (c) => reply(c, await notifications.inspectLink(c.req.valid("json").token)),
    )
    .post(
      "/api/contact-links/confirm",
      describe("Agree to alerts to this contact", changed),
      json(linkInput),
      async (c) => reply(c, await notifications.confirm(c.req.valid("json").token)),
    )
    .post(
      "/api/contact-links/unsubscribe",
      describe("Stop alerts to this contact", changed),
      json(linkInput),
      async (c) => reply(c, await notifications.unsubscribe(c.req.valid("json").token)),
    )
    .post(
      "/api/contact-links/resubscribe",
      describe("Resume alerts to this contact", changed),
      json(linkInput),
      async (c) => reply(c, await notifications.resubscribe(c.req.valid("json").token)),
    )
    .get("/u/:token", hidden, async (c) => {
      const token = c.req.param("token");
      const link = await notifications.inspectLink(token);
      const language = link.ok ? link.value.language : FALLBACK_LANGUAGE;
      return c.redirect(`${publicUrl}/${language}/manage-contact#t=${encodeURIComponent(token)}`, 303);
    })
    .post("/u/:token", describe("One-click unsubscribe (RFC 8058)"), oneClick);
}
