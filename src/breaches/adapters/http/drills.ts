import { Hono } from "hono";
import * as v from "valibot";
import { json } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply } from "../../../http/reply.ts";
import { fullSession, type HttpEnv } from "../../../http/session.ts";
import { uuid } from "../../../shared/text.ts";
import type { Breaches } from "../../mod.ts";

const drill = v.object({
  id: v.string(),
  associationId: v.string(),
  address: v.string(),
  alertId: v.string(),
  startedAt: v.string(),
  endsAt: v.string(),
  state: v.picklist(["pending", "handled"]),
  version: v.number(),
  handledAt: v.nullable(v.string()),
});
const start = v.strictObject({ associationId: uuid() });

/** Routes of fire drills: made-up breaches that try out everything from detection to handling. */
export function drillRoutes(breaches: Breaches) {
  return new Hono<HttpEnv>()
    .get(
      "/api/fire-drill",
      describe("Get the running fire drill", v.object({ drill: v.nullable(drill) })),
      fullSession,
      async (c) => reply(c, await breaches.showDrill(c.get("session").accountId)),
    )
    .post(
      "/api/fire-drill",
      describe("Start a fire drill for one of the account's addresses", drill, 201),
      fullSession,
      json(start),
      async (c) =>
        reply(c, await breaches.startDrill(c.get("session").accountId, c.req.valid("json").associationId), 201),
    )
    .delete("/api/fire-drill", describe("End the fire drill and delete its data"), fullSession, async (c) =>
      reply(c, await breaches.endDrill(c.get("session").accountId)),
    );
}
