import { createHash, timingSafeEqual } from "node:crypto";
import { Hono } from "hono";
import * as v from "valibot";
import { json, param, wholeBody } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply, replyFailure } from "../../../http/reply.ts";
import { fullSession, type HttpEnv } from "../../../http/session.ts";
import { fail, ok } from "../../../shared/result.ts";
import { uuid } from "../../../shared/text.ts";
import type { Notifications } from "../../mod.ts";
import { updateOf } from "../channels/telegram/telegram_model.ts";

const BODY_LIMIT = 1024 * 1024;

const id = v.object({ id: uuid() });
const link = v.object({
  state: v.picklist(["none", "waiting", "needs_confirmation", "linked", "expired"]),
  candidate: v.nullable(v.object({ username: v.nullable(v.string()), name: v.string(), isGroup: v.boolean() })),
  expiresAt: v.nullable(v.string()),
});
const started = v.object({ url: v.string(), expiresAt: v.string() });
/** Whether the chat is the account's own or a group, or the link is for somebody else. */
const start = v.strictObject({ whose: v.picklist(["me", "group", "somebody"]) });

/** The link that turns a typed username into a chat. */
export function telegramRoutes(notifications: Notifications) {
  return new Hono<HttpEnv>()
    .post(
      "/api/contacts/:id/telegram-link",
      describe("Create a link to the bot that connects this contact; the previous link stops working", started),
      fullSession,
      param(id),
      json(start),
      async (c) => {
        const { accountId } = c.get("session");
        const wanted = { contactId: c.req.valid("param").id, whose: c.req.valid("json").whose };
        return reply(c, await notifications.startTelegramLink(accountId, wanted));
      },
    )
    .get(
      "/api/contacts/:id/telegram-link",
      describe("Get the state of the connection to the bot", link),
      fullSession,
      param(id),
      async (c) => reply(c, await notifications.showTelegramLink(c.get("session").accountId, c.req.valid("param").id)),
    )
    .post(
      "/api/contacts/:id/telegram-link/confirm",
      describe("Connect the chat that opened the link", link),
      fullSession,
      param(id),
      async (c) =>
        reply(c, await notifications.confirmTelegramLink(c.get("session").accountId, c.req.valid("param").id)),
    );
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Telegram's webhook, authenticated by its secret instead of session and origin. */
export function telegramWebhook(notifications: Notifications, secret: string) {
  return new Hono<HttpEnv>().post(
    "/api/telegram/webhook",
    describe("Receive a webhook from Telegram", v.object({})),
    async (c, next) => {
      const given = c.req.header("X-Telegram-Bot-Api-Secret-Token") ?? "";
      if (timingSafeEqual(digest(given), digest(secret))) return next();
      return replyFailure(c, fail("UNAUTHENTICATED"));
    },
    wholeBody(BODY_LIMIT),
    json(v.unknown()),
    async (c) => {
      const read = updateOf(c.req.valid("json"));
      // Irrelevant updates are accepted as well, as Telegram would repeat them.
      if (read?.update) await notifications.onTelegramUpdate(read.update);
      return reply(c, ok({}));
    },
  );
}
