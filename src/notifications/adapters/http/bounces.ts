import { createHash, timingSafeEqual } from "node:crypto";
import { Hono } from "hono";
import * as v from "valibot";
import { wholeBody } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply, replyFailure } from "../../../http/reply.ts";
import type { HttpEnv } from "../../../http/session.ts";
import { fail, ok } from "../../../shared/result.ts";
import type { Notifications } from "../../mod.ts";
import { readBounce } from "../channels/email/bounce_mail.ts";

const BODY_LIMIT = 1024 * 1024;
const digest = (text: string) => createHash("sha256").update(text).digest();

/** Accepts raw bounces that the operator's mail server forwards. */
export function bounceRoutes(notifications: Notifications, secret: string) {
  return new Hono<HttpEnv>().post(
    "/api/inbound/bounce",
    describe("Receive a bounced email (RFC 5322, raw)", v.object({ taken: v.boolean() })),
    async (c, next) => {
      const [, token = ""] = /^Bearer +(\S+)$/i.exec(c.req.header("Authorization") ?? "") ?? [];
      if (timingSafeEqual(digest(token), digest(secret))) return next();
      c.header("WWW-Authenticate", "Bearer");
      return replyFailure(c, fail("UNAUTHENTICATED"));
    },
    wholeBody(BODY_LIMIT),
    async (c) => {
      const bounce = await readBounce(new Uint8Array(await c.req.arrayBuffer())).catch(() => undefined);
      // Unrelated mails are accepted as well, as the mail server would retry for days.
      return reply(c, ok({ taken: bounce !== undefined && (await notifications.onBounce(bounce)) }));
    },
  );
}
