import { Hono } from "hono";
import * as v from "valibot";
import { describe } from "../../http/describe.ts";
import { reply } from "../../http/reply.ts";
import { fullSession, type HttpEnv } from "../../http/session.ts";
import type { Billing } from "../mod.ts";

const status = v.picklist(["active", "trial", "inactive"]);
const subscription = v.object({
  status,
  plan: v.picklist(["off", "trial"]),
  trialEndsAt: v.nullable(v.string()),
  daysLeft: v.nullable(v.number()),
  cap: v.nullable(v.number()),
});

export function billingRoutes(billing: Billing) {
  return new Hono<HttpEnv>()
    .get(
      "/api/check-subscription/",
      describe("Is the subscription active?", v.object({ status })),
      fullSession,
      async (c) => {
        const shown = await billing.showSubscription(c.get("session").accountId);
        return reply(c, shown.ok ? { ok: true, value: { status: shown.value.status } } : shown);
      },
    )
    .get("/api/subscription", describe("The account's plan", subscription), fullSession, async (c) =>
      reply(c, await billing.showSubscription(c.get("session").accountId)),
    );
}
