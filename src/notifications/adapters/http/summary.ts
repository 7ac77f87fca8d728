import { Hono } from "hono";
import * as v from "valibot";
import { json } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply } from "../../../http/reply.ts";
import { fullSession, type HttpEnv } from "../../../http/session.ts";
import { SUMMARY_EVERY, summaryInput } from "../../inputs.ts";
import type { Notifications } from "../../mod.ts";

const summary = v.object({ every: v.nullable(v.picklist(SUMMARY_EVERY)) });

/** The setting for summaries by mail. */
export function summaryRoutes(notifications: Notifications) {
  return new Hono<HttpEnv>()
    .get("/api/profile/summary", describe("Get how often a summary is sent", summary), fullSession, async (c) =>
      reply(c, await notifications.showSummary(c.get("session").accountId)),
    )
    .put(
      "/api/profile/summary",
      describe("Change how often a summary is sent", summary),
      fullSession,
      json(summaryInput),
      async (c) => reply(c, await notifications.setSummary(c.get("session").accountId, c.req.valid("json").every)),
    );
}
