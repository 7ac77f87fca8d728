import { Hono } from "hono";
import * as v from "valibot";
import { json, param, query } from "../../../http/body.ts";
import { hidden } from "../../../http/describe.ts";
import { reply } from "../../../http/reply.ts";
import { type HttpEnv, staffSession } from "../../../http/session.ts";
import { text, uuid } from "../../../shared/text.ts";
import { changeIncidentInput, incidentUpdateInput, openIncidentInput } from "../../inputs.ts";
import type { Operations } from "../../mod.ts";

const named = v.object({ id: uuid() });
const namedUpdate = v.object({ ...named.entries, updateId: named.entries.id });
const pageQuery = v.object({
  page: v.optional(v.pipe(text(6), v.digits(), v.toNumber(), v.minValue(1)), "1"),
});

/** For staff: managing the incidents and maintenance of the status page. */
export function incidentRoutes(operations: Operations) {
  return new Hono<HttpEnv>()
    .get("/api/staff/incidents", hidden, staffSession, query(pageQuery), async (c) =>
      reply(c, await operations.listIncidents(c.req.valid("query").page)),
    )
    .post("/api/staff/incidents", hidden, staffSession, json(openIncidentInput), async (c) =>
      reply(c, await operations.openIncident(c.get("session").accountId, c.req.valid("json")), 201),
    )
    .put("/api/staff/incidents/:id", hidden, staffSession, param(named), json(changeIncidentInput), async (c) =>
      reply(
        c,
        await operations.changeIncident(c.get("session").accountId, c.req.valid("param").id, c.req.valid("json")),
      ),
    )
    .post(
      "/api/staff/incidents/:id/updates",
      hidden,
      staffSession,
      param(named),
      json(incidentUpdateInput),
      async (c) =>
        reply(
          c,
          await operations.updateIncident(c.get("session").accountId, c.req.valid("param").id, c.req.valid("json")),
          201,
        ),
    )
    .put(
      "/api/staff/incidents/:id/updates/:updateId",
      hidden,
      staffSession,
      param(namedUpdate),
      json(incidentUpdateInput),
      async (c) =>
        reply(c, await operations.correctUpdate(c.get("session").accountId, c.req.valid("param"), c.req.valid("json"))),
    )
    .delete("/api/staff/incidents/:id", hidden, staffSession, param(named), async (c) =>
      reply(c, await operations.deleteIncident(c.get("session").accountId, c.req.valid("param").id)),
    );
}
