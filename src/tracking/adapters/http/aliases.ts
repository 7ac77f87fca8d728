import { Hono } from "hono";
import * as v from "valibot";
import { json, param } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply } from "../../../http/reply.ts";
import { fullSession, type HttpEnv } from "../../../http/session.ts";
import { ALIAS_ORIGINS, ALIAS_STATES } from "../../../shared/aliases.ts";
import { uuid } from "../../../shared/text.ts";
import { aliasesInput, aliasImportInput, aliasLinkInput } from "../../inputs.ts";
import type { Tracking } from "../../mod.ts";

const id = v.object({ id: uuid() });
const aliasId = v.object({ id: uuid(), aliasId: uuid() });
const count = v.pipe(v.number(), v.integer());
const nothing = v.object({});
const list = v.object({
  items: v.array(
    v.object({
      id: v.string(),
      address: v.string(),
      origin: v.picklist(ALIAS_ORIGINS),
      state: v.picklist(ALIAS_STATES),
      createdAt: v.string(),
      expiresAt: v.nullable(v.string()),
    }),
  ),
});
const added = v.object({ active: count, pending: count, known: count, bad: count });
const linked = v.object({ address: v.string(), account: v.object({ name: v.string(), email: v.string() }) });

/** Further addresses of the account's own address. */
export function aliasRoutes(tracking: Tracking) {
  return new Hono<HttpEnv>()
    .get(
      "/api/associations/:id/aliases",
      describe("List the aliases of the account's own address", list),
      fullSession,
      param(id),
      async (c) => reply(c, await tracking.listAliases(c.get("session").accountId, c.req.valid("param").id)),
    )
    .post(
      "/api/associations/:id/aliases",
      describe("Add aliases", added, 201),
      fullSession,
      param(id),
      json(aliasesInput),
      async (c) =>
        reply(
          c,
          await tracking.addAliases(c.get("session").accountId, c.req.valid("param").id, c.req.valid("json")),
          201,
        ),
    )
    .post(
      "/api/associations/:id/aliases/import",
      describe("Import aliases from an alias service or its export", added, 201),
      fullSession,
      param(id),
      json(aliasImportInput),
      async (c) =>
        reply(
          c,
          await tracking.importAliases(c.get("session").accountId, c.req.valid("param").id, c.req.valid("json")),
          201,
        ),
    )
    .delete(
      "/api/associations/:id/aliases/:aliasId",
      describe("Remove an alias", nothing),
      fullSession,
      param(aliasId),
      async (c) => {
        const asked = c.req.valid("param");
        return reply(c, await tracking.removeAlias(c.get("session").accountId, asked.id, asked.aliasId));
      },
    )
    .post(
      "/api/aliases/inspect",
      describe("Show what a link to an alias asks", linked),
      json(aliasLinkInput),
      async (c) => reply(c, await tracking.inspectAlias(c.req.valid("json").token)),
    )
    .post("/api/aliases/confirm", describe("Confirm an alias", nothing), json(aliasLinkInput), async (c) =>
      reply(c, await tracking.confirmAlias(c.req.valid("json").token)),
    );
}
