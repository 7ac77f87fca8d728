import { Hono } from "hono";
import * as v from "valibot";
import { json, param, query } from "../../http/body.ts";
import { describe } from "../../http/describe.ts";
import { reply } from "../../http/reply.ts";
import { fullSession, type HttpEnv } from "../../http/session.ts";
import { BREACH_FLAGS } from "../../shared/breach.ts";
import { alertChange, alertQuery } from "../inputs.ts";
import type { Breaches } from "../mod.ts";

const id = v.object({ id: v.pipe(v.string(), v.uuid()) });
const breach = v.object({
  name: v.string(),
  title: v.string(),
  domain: v.string(),
  breachDate: v.string(),
  addedDate: v.string(),
  dataClasses: v.array(v.string()),
  flags: v.array(v.picklist(BREACH_FLAGS)),
  pwnCount: v.number(),
});
const alert = v.object({
  id: v.string(),
  associationId: v.string(),
  address: v.string(),
  state: v.picklist(["pending", "handled"]),
  baseline: v.boolean(),
  raisedAt: v.string(),
  handledAt: v.nullable(v.string()),
  version: v.number(),
  breach: v.nullable(breach),
  sources: v.array(v.string()),
});
const alertPage = v.object({
  items: v.array(alert),
  total: v.number(),
  page: v.number(),
  pageSize: v.number(),
  pending: v.number(),
});

const monitoring = v.object({
  address: v.string(),
  associationId: v.nullable(v.string()),
  managedBy: v.nullable(v.object({ name: v.string() })),
  scope: v.object({ details: v.boolean(), sensitive: v.boolean() }),
  status: v.picklist(["safe", "active", "breached", "inactive"]),
  since: v.string(),
  checkedAt: v.nullable(v.string()),
  nextCheckAt: v.nullable(v.string()),
  pending: v.number(),
  findings: v.array(
    v.object({
      alertId: v.nullable(v.string()),
      state: v.nullable(v.picklist(["pending", "handled"])),
      version: v.nullable(v.number()),
      foundAt: v.string(),
      breach: v.nullable(breach),
      sources: v.array(v.string()),
    }),
  ),
});

export function breachRoutes(breaches: Breaches) {
  return new Hono<HttpEnv>()
    .get(
      "/api/alerts",
      describe("Alerts, one page, newest first", alertPage),
      fullSession,
      query(alertQuery),
      async (c) => reply(c, await breaches.listAlerts(c.get("session").accountId, c.req.valid("query"))),
    )
    .get(
      "/api/monitoring",
      describe("The monitoring of one address", monitoring),
      fullSession,
      query(v.object({ child_email: v.optional(v.string(), "") })),
      async (c) =>
        reply(c, await breaches.showMonitoring(c.get("session").accountId, c.req.valid("query").child_email)),
    )
    .get("/api/alerts/:id", describe("One alert", alert), fullSession, param(id), async (c) =>
      reply(c, await breaches.showAlert(c.get("session").accountId, c.req.valid("param").id)),
    )
    .post(
      "/api/alerts/:id/handle",
      describe("Mark as handled", alert),
      fullSession,
      param(id),
      json(alertChange),
      async (c) =>
        reply(
          c,
          await breaches.handleAlert(c.get("session").accountId, c.req.valid("param").id, c.req.valid("json").version),
        ),
    )
    .post(
      "/api/alerts/:id/reopen",
      describe("Mark as not handled", alert),
      fullSession,
      param(id),
      json(alertChange),
      async (c) =>
        reply(
          c,
          await breaches.reopenAlert(c.get("session").accountId, c.req.valid("param").id, c.req.valid("json").version),
        ),
    );
}
