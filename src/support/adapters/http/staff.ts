import { type Context, Hono } from "hono";
import { json, param, query } from "../../../http/body.ts";
import { hidden } from "../../../http/describe.ts";
import { reply } from "../../../http/reply.ts";
import { type HttpEnv, type SignedInEnv, staffSession } from "../../../http/session.ts";
import { postInput, staffTicketsQuery, stateInput } from "../../inputs.ts";
import type { Support } from "../../mod.ts";
import { reference } from "./answers.ts";

const actorOf = (c: Context<SignedInEnv>) => ({ by: "staff" as const, accountId: c.get("session").accountId });

/** Staff routes. Each checks the role first and answers 404 to all others. */
export function supportStaffRoutes(support: Support) {
  return new Hono<HttpEnv>()
    .get("/api/staff/tickets", hidden, staffSession, query(staffTicketsQuery), async (c) =>
      reply(c, await support.staffTickets(c.req.valid("query"))),
    )
    .get("/api/staff/tickets/:reference", hidden, staffSession, param(reference), async (c) =>
      reply(c, await support.staffTicket(c.req.valid("param").reference)),
    )
    .post("/api/staff/tickets/:reference/answers", hidden, staffSession, param(reference), json(postInput), async (c) =>
      reply(c, await support.answerTicket(actorOf(c), c.req.valid("param").reference, c.req.valid("json")), 201),
    )
    .post(
      "/api/staff/tickets/:reference/state",
      hidden,
      staffSession,
      param(reference),
      json(stateInput),
      async (c) => {
        const { state } = c.req.valid("json");
        return reply(c, await support.setTicketState(actorOf(c), c.req.valid("param").reference, state));
      },
    );
}
