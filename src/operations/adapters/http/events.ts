import { Hono } from "hono";
import * as v from "valibot";
import { query } from "../../../http/body.ts";
import { breachFacts } from "../../../http/breach_facts.ts";
import { describe } from "../../../http/describe.ts";
import { fullSession, type HttpEnv } from "../../../http/session.ts";
import { LOGGED_TYPES } from "../../event_log_ports.ts";
import { eventsQuery } from "../../inputs.ts";
import type { Operations } from "../../mod.ts";

const NDJSON = "application/x-ndjson";

const breach = v.pick(breachFacts, ["name", "title", "domain", "breachDate", "addedDate", "dataClasses", "flags"]);

/** One line of the answer. */
const event = v.object({
  id: v.string(),
  type: v.picklist(LOGGED_TYPES),
  version: v.number(),
  time: v.string(),
  cursor: v.string(),
  associationId: v.optional(v.string()),
  address: v.optional(v.nullable(v.string())),
  alertId: v.optional(v.string()),
  baseline: v.optional(v.boolean()),
  breach: v.optional(v.nullable(breach)),
  reason: v.optional(v.string()),
  scope: v.optional(v.object({ details: v.boolean(), sensitive: v.boolean() })),
  act: v.optional(v.string()),
  by: v.optional(v.picklist(["staff", "command_line"])),
});

/** The account's events for programs. */
export function eventRoutes(operations: Operations) {
  return new Hono<HttpEnv>().get(
    "/api/events",
    describe("Read the account's events as NDJSON", event, 200, { mediaType: NDJSON }),
    fullSession,
    query(eventsQuery),
    async (c) => {
      const { after, limit } = c.req.valid("query");
      const events = await operations.accountEvents(c.get("session").accountId, after, limit);
      const lines = events.map((one) => `${JSON.stringify(one)}\n`).join("");
      return c.body(lines, 200, { "Content-Type": NDJSON, "Cache-Control": "no-store" });
    },
  );
}
