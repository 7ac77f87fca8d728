import { Hono } from "hono";
import * as v from "valibot";
import { json, param, query } from "../../http/body.ts";
import { describe } from "../../http/describe.ts";
import { reply } from "../../http/reply.ts";
import { fullSession, type HttpEnv } from "../../http/session.ts";
import { CHANNELS } from "../../shared/contacts.ts";
import { LANGUAGES } from "../../shared/language.ts";
import { ok } from "../../shared/result.ts";
import { STATUSES } from "../association.ts";
import { associationQuery, trackInput } from "../inputs.ts";
import type { Tracking } from "../mod.ts";

const id = v.object({ id: v.pipe(v.string(), v.uuid()) });
const nothing = v.object({});
const associations = v.object({
  items: v.array(
    v.object({
      id: v.string(),
      address: v.string(),
      status: v.picklist(STATUSES),
      language: v.picklist(LANGUAGES),
      pendingAlerts: v.number(),
      checkedAt: v.nullable(v.string()),
      nextCheckAt: v.nullable(v.string()),
      contacts: v.array(
        v.object({
          channel: v.picklist(CHANNELS),
          value: v.string(),
          state: v.picklist(["unconfirmed", "active", "unsubscribed", "broken"]),
        }),
      ),
    }),
  ),
  total: v.number(),
  page: v.number(),
  pageSize: v.number(),
  capacity: v.object({ used: v.number(), cap: v.nullable(v.number()) }),
});

export function trackingRoutes(tracking: Tracking) {
  return new Hono<HttpEnv>()
    .get(
      "/api/check-aggiungere-email/",
      describe("May the account track one more address?", v.object({ can_add_more: v.boolean() })),
      fullSession,
      async (c) => reply(c, ok({ can_add_more: await tracking.canAddMore(c.get("session").accountId) })),
    )
    .get(
      "/api/check-user-belong-association/",
      describe("Does the association belong to the account?", nothing),
      fullSession,
      query(v.object({ association_id: v.optional(v.string(), "") })),
      async (c) => reply(c, await tracking.belongs(c.get("session").accountId, c.req.valid("query").association_id)),
    )
    .get(
      "/api/check-user-autorizzato-monitoraggio/",
      describe("May the account see the monitoring of this address?", nothing),
      fullSession,
      query(v.object({ child_email: v.optional(v.string(), "") })),
      async (c) => reply(c, await tracking.mayMonitor(c.get("session").accountId, c.req.valid("query").child_email)),
    )
    .get(
      "/api/associations",
      describe("Tracked addresses, one page", associations),
      fullSession,
      query(associationQuery),
      async (c) => reply(c, await tracking.listAssociations(c.get("session").accountId, c.req.valid("query"))),
    )
    .post(
      "/api/associations",
      describe("Track an address", v.object({ id: v.string() }), 201),
      fullSession,
      json(trackInput),
      async (c) => reply(c, await tracking.track(c.get("session").accountId, c.req.valid("json")), 201),
    )
    .delete("/api/associations/:id", describe("Stop tracking an address", nothing), fullSession, param(id), async (c) =>
      reply(c, await tracking.removeAssociation(c.get("session").accountId, c.req.valid("param").id)),
    );
}
