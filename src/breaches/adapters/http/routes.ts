import { Hono } from "hono";
import * as v from "valibot";
import { query } from "../../../http/body.ts";
import { breachFacts } from "../../../http/breach_facts.ts";
import { describe } from "../../../http/describe.ts";
import { reply } from "../../../http/reply.ts";
import { fullSession, type HttpEnv } from "../../../http/session.ts";
import { toldList } from "../../../shared/disclosure.ts";
import { EMAIL_TYPED_MAX } from "../../../shared/email_address.ts";
import { textOrEmpty } from "../../../shared/text.ts";
import type { Breaches } from "../../mod.ts";
import { alertRoutes } from "./alerts.ts";
import { letterRoutes } from "./letters.ts";
import { traceRoutes } from "./traces.ts";

const monitoring = v.object({
  address: v.string(),
  owner: v.boolean(),
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
      breach: v.nullable(breachFacts),
      sources: v.array(v.string()),
      foundUnder: v.array(v.object({ address: v.string(), namesService: v.boolean() })),
    }),
  ),
  progress: v.nullable(v.object({ done: v.number(), advised: v.number() })),
  told: v.nullable(toldList),
});

export function breachRoutes(breaches: Breaches) {
  return new Hono<HttpEnv>()
    .route("/", alertRoutes(breaches))
    .route("/", traceRoutes(breaches))
    .route("/", letterRoutes(breaches))
    .get(
      "/api/monitoring",
      describe("Get the breaches of an address", monitoring),
      fullSession,
      query(v.object({ child_email: v.optional(textOrEmpty(EMAIL_TYPED_MAX), "") })),
      async (c) =>
        reply(c, await breaches.showMonitoring(c.get("session").accountId, c.req.valid("query").child_email)),
    );
}
