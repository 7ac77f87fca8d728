import { Hono } from "hono";
import * as v from "valibot";
import { wholeBody } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply, replyFailure } from "../../../http/reply.ts";
import type { HttpEnv } from "../../../http/session.ts";
import { fail } from "../../../shared/result.ts";
import type { Billing } from "../../mod.ts";

/** Several times the size of the largest event. */
const BODY_LIMIT = 512 * 1024;

/** The payment provider's webhook. It has no session and no origin: the signature over the raw body authenticates it. */
export function webhookRoutes(billing: Billing) {
  return new Hono<HttpEnv>().post(
    "/api/stripe/webhook",
    describe("Receive a webhook from the payment provider", v.object({})),
    async (c, next) => {
      c.header("Cache-Control", "no-store");
      return billing.mode === "off" ? replyFailure(c, fail("NOT_FOUND")) : next();
    },
    wholeBody(BODY_LIMIT),
    async (c) => reply(c, await billing.takePaymentEvent(await c.req.text(), c.req.header("Stripe-Signature"))),
  );
}
