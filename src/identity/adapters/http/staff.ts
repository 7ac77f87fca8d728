import { type Context, Hono } from "hono";
import * as v from "valibot";
import { json, param, query } from "../../../http/body.ts";
import { hidden } from "../../../http/describe.ts";
import { reply } from "../../../http/reply.ts";
import { confirmedSession, type HttpEnv, type SignedInEnv, staffSession } from "../../../http/session.ts";
import { becauseInput } from "../../../shared/staff.ts";
import { uuid } from "../../../shared/text.ts";
import type { Identity } from "../../mod.ts";
import { accountsQuery, staffActsQuery } from "../../staff/staff_inputs.ts";

const DAY_MS = 86_400_000;
const id = v.object({ id: uuid() });
const actorOf = (c: Context<SignedInEnv>) => ({ by: "staff" as const, accountId: c.get("session").accountId });

type Page = { after?: string | undefined; afterId?: string | undefined };
const cursorOf = ({ after, afterId }: Page) =>
  after !== undefined && afterId !== undefined ? { at: new Date(after), id: afterId } : undefined;

/** Staff routes for accounts and the staff's audit log. */
export function identityStaffRoutes(identity: Identity) {
  return (
    new Hono<HttpEnv>()
      .get("/api/staff/accounts", hidden, staffSession, query(accountsQuery), async (c) => {
        const { search, state, ...page } = c.req.valid("query");
        return reply(c, await identity.listAccounts({ text: search, state }, cursorOf(page)));
      })
      // POST, as viewing an account is audited: other sites must not be able to trigger it.
      .post("/api/staff/accounts/:id/view", hidden, staffSession, param(id), async (c) => {
        const shown = await identity.showAccount(c.req.valid("param").id);
        if (shown.ok) await identity.noteView(shown.value.id, actorOf(c));
        return reply(c, shown);
      })
      .post(
        "/api/staff/accounts/:id/lock",
        hidden,
        staffSession,
        confirmedSession,
        param(id),
        json(becauseInput),
        async (c) => reply(c, await identity.lockAccount(c.req.valid("param").id, c.req.valid("json"), actorOf(c))),
      )
      .post(
        "/api/staff/accounts/:id/unlock",
        hidden,
        staffSession,
        confirmedSession,
        param(id),
        json(becauseInput),
        async (c) => reply(c, await identity.unlockAccount(c.req.valid("param").id, c.req.valid("json"), actorOf(c))),
      )
      .post(
        "/api/staff/accounts/:id/delete",
        hidden,
        staffSession,
        confirmedSession,
        param(id),
        json(becauseInput),
        async (c) => reply(c, await identity.removeAccount(c.req.valid("param").id, c.req.valid("json"), actorOf(c))),
      )
      .get("/api/staff/acts", hidden, staffSession, query(staffActsQuery), async (c) => {
        const { actor, act, object, from, to, ...page } = c.req.valid("query");
        const until = to === undefined ? undefined : new Date(new Date(to).getTime() + DAY_MS);
        const filter = {
          actorId: actor,
          act,
          objectId: object,
          from: from === undefined ? undefined : new Date(from),
          until,
        };
        return reply(c, await identity.staffActs(filter, cursorOf(page)));
      })
  );
}
