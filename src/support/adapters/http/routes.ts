import { type Context, Hono } from "hono";
import * as v from "valibot";
import { json, param, query } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply } from "../../../http/reply.ts";
import { fullSession, type HttpEnv, type SignedInEnv } from "../../../http/session.ts";
import { feedbackInput, ownTicketsQuery, postInput, ticketInput } from "../../inputs.ts";
import type { Support } from "../../mod.ts";
import { reference, ticketList, ticketShown } from "./answers.ts";

const nothing = v.strictObject({});

function senderOf(c: Context<SignedInEnv>) {
  const { accountId, language } = c.get("session");
  return { accountId, language, ip: c.get("clientIp") };
}

/** Submitting tickets and feedback. */
function sendingRoutes(support: Support) {
  return new Hono<HttpEnv>()
    .post(
      "/api/support/tickets",
      describe("Open a support ticket; repeating the idempotency key returns the same ticket", ticketShown, 201),
      fullSession,
      json(ticketInput),
      async (c) => reply(c, await support.sendTicket(c.req.valid("json"), senderOf(c)), 201),
    )
    .post(
      "/api/support/feedback",
      describe("Send feedback; repeating the idempotency key returns the same ticket", ticketShown, 201),
      fullSession,
      json(feedbackInput),
      async (c) => reply(c, await support.sendFeedback(c.req.valid("json"), senderOf(c)), 201),
    )
    .post(
      "/api/support/tickets/:reference/messages",
      describe("Add a message to the conversation, which reopens it", ticketShown, 201),
      fullSession,
      param(reference),
      json(postInput),
      async (c) => {
        const sent = await support.followUp(c.req.valid("param").reference, c.req.valid("json"), senderOf(c));
        return reply(c, sent, 201);
      },
    );
}

/** An account's own tickets and feedback. */
function ownRoutes(support: Support) {
  return new Hono<HttpEnv>()
    .get(
      "/api/support/tickets",
      describe("List the account's tickets", ticketList),
      fullSession,
      query(ownTicketsQuery),
      async (c) => {
        const { kind, page } = c.req.valid("query");
        return reply(c, await support.ownTickets(c.get("session").accountId, kind, page));
      },
    )
    .get(
      "/api/support/tickets/:reference",
      describe("Get a ticket with its conversation", ticketShown),
      fullSession,
      param(reference),
      async (c) => reply(c, await support.ownTicket(c.get("session").accountId, c.req.valid("param").reference)),
    )
    .post(
      "/api/support/tickets/:reference/close",
      describe("Close the conversation", ticketShown),
      fullSession,
      param(reference),
      json(nothing),
      async (c) => reply(c, await support.closeTicket(c.get("session").accountId, c.req.valid("param").reference)),
    )
    .post(
      "/api/support/tickets/:reference/reopen",
      describe("Reopen the conversation", ticketShown),
      fullSession,
      param(reference),
      json(nothing),
      async (c) => reply(c, await support.reopenTicket(c.get("session").accountId, c.req.valid("param").reference)),
    );
}

export function supportRoutes(support: Support) {
  return new Hono<HttpEnv>().route("/", sendingRoutes(support)).route("/", ownRoutes(support));
}
