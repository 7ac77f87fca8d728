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
const alert = v.object({
  id: v.string(),
  associationId: v.string(),
  address: v.string(),
  state: v.picklist(["pending", "handled"]),
  baseline: v.boolean(),
  raisedAt: v.string(),
  handledAt: v.nullable(v.string()),
  version: v.number(),
  breach: v.object({
    name: v.string(),
    title: v.string(),
    domain: v.string(),
    breachDate: v.string(),
    addedDate: v.string(),
    dataClasses: v.array(v.string()),
    flags: v.array(v.picklist(BREACH_FLAGS)),
    pwnCount: v.number(),
  }),
});
const alertPage = v.object({
  items: v.array(alert),
  total: v.number(),
  page: v.number(),
  pageSize: v.number(),
  pending: v.number(),
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
