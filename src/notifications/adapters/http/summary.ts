import { Hono } from "hono";
import * as v from "valibot";
import { json } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply } from "../../../http/reply.ts";
import { fullSession, type HttpEnv } from "../../../http/session.ts";
import { summaryInput } from "../../inputs.ts";
import type { Notifications } from "../../mod.ts";

const summary = v.object({ monthly: v.boolean() });

/** The setting for the monthly summary. */
export function summaryRoutes(notifications: Notifications) {
  return new Hono<HttpEnv>()
    .get("/api/profile/summary", describe("Get whether the monthly summary is on", summary), fullSession, async (c) =>
      reply(c, await notifications.showSummary(c.get("session").accountId)),
    )
    .put(
      "/api/profile/summary",
      describe("Turn the monthly summary on or off", summary),
      fullSession,
      json(summaryInput),
      async (c) => reply(c, await notifications.setSummary(c.get("session").accountId, c.req.valid("json").monthly)),
    );
}
