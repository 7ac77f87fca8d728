import { Hono } from "hono";
import * as v from "valibot";
import { json, param } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply } from "../../../http/reply.ts";
import { confirmedSession, fullSession, type HttpEnv } from "../../../http/session.ts";
import { API_SCOPES } from "../../../shared/api_scopes.ts";
import { uuid } from "../../../shared/text.ts";
import { apiTokenInput } from "../../api_tokens/api_token_inputs.ts";
import type { Identity } from "../../mod.ts";
import { signInCookies } from "./client.ts";

const count = v.pipe(v.number(), v.integer());
const apiToken = v.object({
  id: v.string(),
  name: v.string(),
  scopes: v.array(v.picklist(API_SCOPES)),
  createdAt: v.string(),
  expiresAt: v.nullable(v.string()),
  expired: v.boolean(),
  lastUsedAt: v.nullable(v.string()),
  lastIpPrefix: v.nullable(v.string()),
});
const created = v.object({ ...apiToken.entries, token: v.string() });
const nothing = v.strictObject({});
const id = v.object({ id: uuid() });

/** Routes of the account's personal tokens, which cannot be called with a token. */
export function apiTokenRoutes(identity: Identity, { secureCookies }: { secureCookies: boolean }) {
  const { clientOf } = signInCookies(secureCookies);

  return new Hono<HttpEnv>()
    .get(
      "/api/tokens",
      describe("List the account's personal tokens, newest first", v.object({ items: v.array(apiToken), max: count })),
      fullSession,
      async (c) => reply(c, await identity.listApiTokens(c.get("session").accountId)),
    )
    .post(
      "/api/tokens",
      describe("Create a personal token, shown once", created, 201),
      fullSession,
      confirmedSession,
      json(apiTokenInput),
      async (c) =>
        reply(c, await identity.createApiToken(c.get("session").accountId, c.req.valid("json"), clientOf(c)), 201),
    )
    .post(
      "/api/tokens/revoke-all",
      describe("Revoke all personal tokens", v.object({ revoked: count })),
      fullSession,
      json(nothing),
      async (c) => reply(c, await identity.revokeAllApiTokens(c.get("session").accountId, clientOf(c))),
    )
    .delete("/api/tokens/:id", describe("Revoke a personal token", nothing), fullSession, param(id), async (c) => {
      const { accountId } = c.get("session");
      return reply(c, await identity.revokeApiToken({ accountId, id: c.req.valid("param").id }, clientOf(c)));
    });
}
