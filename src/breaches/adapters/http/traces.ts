import { Hono } from "hono";
import * as v from "valibot";
import { json, query } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply } from "../../../http/reply.ts";
import { fullSession, type HttpEnv } from "../../../http/session.ts";
import { EMAIL_TYPED_MAX } from "../../../shared/email_address.ts";
import { textOrEmpty } from "../../../shared/text.ts";
import { askTracesInput, tickSiteInput } from "../../inputs.ts";
import type { Breaches } from "../../mod.ts";

const ticked = v.object({ site: v.string(), done: v.boolean() });
const traces = v.object({
  address: v.string(),
  source: v.nullable(v.string()),
  sendsAddress: v.boolean(),
  offers: v.object({ pastes: v.boolean(), sites: v.boolean() }),
  askedAt: v.nullable(v.string()),
  pastes: v.nullable(
    v.array(
      v.object({
        source: v.string(),
        url: v.nullable(v.string()),
        title: v.nullable(v.string()),
        date: v.nullable(v.string()),
        addresses: v.number(),
      }),
    ),
  ),
  sites: v.nullable(v.array(ticked)),
  sitesRefused: v.boolean(),
  askAgainAt: v.nullable(v.string()),
});

/** Routes of the pastes and stealer logs of the account's own address. */
export function traceRoutes(breaches: Breaches) {
  return new Hono<HttpEnv>()
    .get(
      "/api/monitoring/traces",
      describe("Get the pastes and stealer logs of the account's own address, as they were last asked for", traces),
      fullSession,
      query(v.object({ child_email: v.optional(textOrEmpty(EMAIL_TYPED_MAX), "") })),
      async (c) => reply(c, await breaches.showTraces(c.get("session").accountId, c.req.valid("query").child_email)),
    )
    .post(
      "/api/monitoring/traces",
      describe("Ask the source for pastes and stealer logs of the account's own address", traces),
      fullSession,
      json(askTracesInput),
      async (c) => reply(c, await breaches.askTraces(c.get("session").accountId, c.req.valid("json").address)),
    )
    .put(
      "/api/monitoring/traces/sites",
      describe("Mark the password of a site in a stealer log as changed or not changed", ticked),
      fullSession,
      json(tickSiteInput),
      async (c) => reply(c, await breaches.tickSite(c.get("session").accountId, c.req.valid("json"))),
    );
}
