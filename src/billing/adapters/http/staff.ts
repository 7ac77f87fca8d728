import { type Context, Hono } from "hono";
import * as v from "valibot";
import { json, param } from "../../../http/body.ts";
import { hidden } from "../../../http/describe.ts";
import { reply } from "../../../http/reply.ts";
import { confirmedSession, type HttpEnv, type SignedInEnv, staffSession } from "../../../http/session.ts";
import { becauseInput } from "../../../shared/staff.ts";
import { uuid } from "../../../shared/text.ts";
import { grantInput } from "../../inputs.ts";
import type { Billing } from "../../mod.ts";

const id = v.object({ id: uuid() });
const actorOf = (c: Context<SignedInEnv>) => ({ by: "staff" as const, accountId: c.get("session").accountId });

/** Granting and revoking plans, for staff. */
export function billingStaffRoutes(billing: Billing) {
  return new Hono<HttpEnv>()
    .post(
      "/api/staff/accounts/:id/grant",
      hidden,
      staffSession,
      confirmedSession,
      param(id),
      json(grantInput),
      async (c) => reply(c, await billing.grantPlan(c.req.valid("param").id, c.req.valid("json"), actorOf(c))),
    )
    .post(
      "/api/staff/accounts/:id/end-grant",
      hidden,
      staffSession,
      confirmedSession,
      param(id),
      json(becauseInput),
      async (c) => reply(c, await billing.endGrant(c.req.valid("param").id, c.req.valid("json"), actorOf(c))),
    );
}
