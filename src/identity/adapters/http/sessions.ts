import { Hono } from "hono";
import * as v from "valibot";
import { json, param } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply } from "../../../http/reply.ts";
import { fullSession, type HttpEnv } from "../../../http/session.ts";
import { ok } from "../../../shared/result.ts";
import { uuid } from "../../../shared/text.ts";
import { confirmPasswordInput } from "../../inputs.ts";
import type { Identity } from "../../mod.ts";
import { needsPasswords, signInCookies } from "./client.ts";

const maybe = v.nullable(v.string());
const sessionList = v.object({
  sessions: v.array(
    v.object({
      id: v.string(),
      current: v.boolean(),
      browser: maybe,
      system: maybe,
      ipPrefix: v.string(),
      createdAt: v.string(),
      lastSeenAt: v.string(),
    }),
  ),
});
const activity = v.object({
  events: v.array(
    v.object({
      id: v.string(),
      at: v.string(),
      event: v.string(),
      browser: maybe,
      system: maybe,
      ipPrefix: maybe,
      current: v.boolean(),
      detail: v.record(v.string(), v.string()),
    }),
  ),
});
const ended = v.object({ ended: v.pipe(v.number(), v.integer()) });
const nothing = v.strictObject({});
const id = v.object({ id: uuid() });

/** The account's sessions and activity, and password confirmation. */
export function sessionRoutes(identity: Identity, { secureCookies }: { secureCookies: boolean }) {
  const { clientOf, keepDevice, renewSession, endSession } = signInCookies(secureCookies);

  return new Hono<HttpEnv>()
    .post(
      "/api/confirm-password",
      describe("Reauthenticate with the password; the session gets a new token", nothing),
      fullSession,
      needsPasswords(identity),
      json(confirmPasswordInput),
      async (c) => {
        const asked = { ...c.get("session"), ...c.req.valid("json") };
        const result = await identity.confirmPassword(asked, clientOf(c));
        if (result.ok) renewSession(c, result.value);
        return reply(c, result.ok ? ok({}) : result);
      },
    )
    .get("/api/sessions", describe("List the account's sessions", sessionList), fullSession, async (c) =>
      reply(c, await identity.sessionsOf(c.get("session"))),
    )
    .delete("/api/sessions/:id", describe("End a session", nothing), fullSession, param(id), async (c) => {
      const { accountId, sessionId } = c.get("session");
      const { id } = c.req.valid("param");
      const result = await identity.endSession({ accountId, id }, clientOf(c));
      if (result.ok && id === sessionId) endSession(c);
      return reply(c, result);
    })
    .post(
      "/api/sessions/end-others",
      describe("End all other sessions", ended),
      fullSession,
      json(nothing),
      async (c) => {
        const result = await identity.endOtherSessions(c.get("session"), clientOf(c));
        if (result.ok) keepDevice(c, result.value.deviceToken);
        return reply(c, result.ok ? ok({ ended: result.value.ended }) : result);
      },
    )
    .get(
      "/api/activity",
      describe("List the account's activity in the last 90 days, newest first", activity),
      fullSession,
      async (c) => reply(c, await identity.activityOf(c.get("session"), clientOf(c))),
    );
}
