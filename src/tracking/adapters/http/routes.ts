import { Hono } from "hono";
import * as v from "valibot";
import { json, param, query } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { mayTellFindings, replyInsufficient, tellingFindings } from "../../../http/findings.ts";
import { reply } from "../../../http/reply.ts";
import { fullSession, type HttpEnv } from "../../../http/session.ts";
import { byChannel, CHANNELS } from "../../../shared/contacts.ts";
import { EMAIL_TYPED_MAX } from "../../../shared/email_address.ts";
import { LANGUAGES } from "../../../shared/language.ts";
import { ok } from "../../../shared/result.ts";
import { textOrEmpty, uuid } from "../../../shared/text.ts";
import { STATUSES } from "../../association.ts";
import {
  associationQuery,
  bulkInput,
  bulkPreviewInput,
  idsInput,
  pauseInput,
  trackInput,
  updateInput,
} from "../../inputs.ts";
import type { Tracking } from "../../mod.ts";
import { aliasRoutes } from "./aliases.ts";

const id = v.object({ id: uuid() });
const nothing = v.object({});
const scope = v.object({ details: v.boolean(), sensitive: v.boolean() });
const count = v.pipe(v.number(), v.integer());
const lists = v.object(byChannel(() => v.array(v.string())));
const details = v.object({
  id: v.string(),
  address: v.string(),
  owner: v.boolean(),
  consent: v.picklist(["own", "pending", "granted"]),
  language: v.picklist(LANGUAGES),
  contacts: lists,
  paused: v.boolean(),
  suspended: v.boolean(),
  scope,
  status: v.nullable(v.picklist(STATUSES)),
});
const preview = v.object({
  lines: v.array(
    v.object({ line: count, text: v.string(), address: v.nullable(v.string()), problem: v.nullable(v.string()) }),
  ),
  addable: count,
});
export const associationsAnswer = v.object({
  items: v.array(
    v.object({
      id: v.string(),
      address: v.string(),
      status: v.nullable(v.picklist(STATUSES)),
      owner: v.boolean(),
      consent: v.picklist(["own", "pending", "granted"]),
      scope,
      paused: v.boolean(),
      suspended: v.boolean(),
      preferred: v.boolean(),
      language: v.picklist(LANGUAGES),
      pendingAlerts: v.nullable(v.number()),
      checkedAt: v.nullable(v.string()),
      nextCheckAt: v.nullable(v.string()),
      contacts: v.array(
        v.object({
          channel: v.picklist(CHANNELS),
          value: v.string(),
          state: v.picklist(["unconfirmed", "active", "unsubscribed", "broken"]),
        }),
      ),
    }),
  ),
  total: v.number(),
  page: v.number(),
  pageSize: v.number(),
  capacity: v.object({ used: v.number(), cap: v.nullable(v.number()) }),
  counts: v.nullable(v.object({ all: count, safe: count, active: count, breached: count, inactive: count })),
  waiting: v.nullable(v.object({ addresses: count, alerts: count })),
  stale: v.nullable(v.object({ since: v.string() })),
});

const withoutStatus = <Value extends object>(value: Value) => ({ ...value, status: null });
/** The list for a program without permission to read alerts. */
const withoutFindings = <Page extends { items: object[] }>(page: Page) => ({
  ...page,
  items: page.items.map((item) => ({ ...item, status: null, pendingAlerts: null })),
  counts: null,
  waiting: null,
});

export function trackingRoutes(tracking: Tracking) {
  return new Hono<HttpEnv>()
    .route("/", aliasRoutes(tracking))
    .get(
      "/api/check-aggiungere-email/",
      describe("Check whether the account may track one more address", v.object({ can_add_more: v.boolean() })),
      fullSession,
      async (c) => reply(c, ok({ can_add_more: await tracking.canAddMore(c.get("session").accountId) })),
    )
    .get(
      "/api/check-user-belong-association/",
      describe("Check whether an association belongs to the account", nothing),
      fullSession,
      query(v.object({ association_id: v.optional(textOrEmpty(36), "") })),
      async (c) => reply(c, await tracking.belongs(c.get("session").accountId, c.req.valid("query").association_id)),
    )
    .get(
      "/api/check-user-autorizzato-monitoraggio/",
      describe("Check whether the account may see the breaches of an address", nothing),
      fullSession,
      query(v.object({ child_email: v.optional(textOrEmpty(EMAIL_TYPED_MAX), "") })),
      async (c) => reply(c, await tracking.mayMonitor(c.get("session").accountId, c.req.valid("query").child_email)),
    )
    .get(
      "/api/associations",
      describe("List tracked addresses", associationsAnswer),
      fullSession,
      query(associationQuery),
      async (c) => {
        const asked = c.req.valid("query");
        // A filter by status would reveal which addresses are breached.
        if (asked.status !== "all" && !mayTellFindings(c))
          return replyInsufficient(c, ["addresses:read", "alerts:read"]);
        const found = await tracking.listAssociations(c.get("session").accountId, asked);
        return reply(c, tellingFindings(c, found, withoutFindings));
      },
    )
    .post(
      "/api/associations",
      describe(
        "Track an address, or ask its owner",
        v.object({ id: v.string(), state: v.picklist(["watching", "pending"]) }),
        201,
      ),
      fullSession,
      json(trackInput),
      async (c) => reply(c, await tracking.track(c.get("session").accountId, c.req.valid("json")), 201),
    )
    .post(
      "/api/associations/bulk/preview",
      describe("Preview which addresses can be tracked", preview),
      fullSession,
      json(bulkPreviewInput),
      async (c) => reply(c, await tracking.previewBulk(c.get("session").accountId, c.req.valid("json").text)),
    )
    .post(
      "/api/associations/bulk",
      describe("Track several addresses, all or none", v.object({ added: count }), 201),
      fullSession,
      json(bulkInput),
      async (c) => reply(c, await tracking.trackAll(c.get("session").accountId, c.req.valid("json")), 201),
    )
    .post(
      "/api/associations/remove",
      describe("Stop tracking several addresses", v.object({ removed: count })),
      fullSession,
      json(idsInput),
      async (c) => reply(c, await tracking.removeAssociations(c.get("session").accountId, c.req.valid("json").ids)),
    )
    .post(
      "/api/associations/keep",
      describe("Choose which addresses to keep when the plan does not cover them all", nothing),
      fullSession,
      json(idsInput),
      async (c) => reply(c, await tracking.keepAssociations(c.get("session").accountId, c.req.valid("json").ids)),
    )
    .get("/api/associations/:id", describe("Get a tracked address", details), fullSession, param(id), async (c) =>
      reply(
        c,
        tellingFindings(
          c,
          await tracking.showAssociation(c.get("session").accountId, c.req.valid("param").id),
          withoutStatus,
        ),
      ),
    )
    .put(
      "/api/associations/:id",
      describe("Change contacts, language, ownership or pause", details),
      fullSession,
      param(id),
      json(updateInput),
      async (c) =>
        reply(
          c,
          tellingFindings(
            c,
            await tracking.updateAssociation(c.get("session").accountId, c.req.valid("param").id, c.req.valid("json")),
            withoutStatus,
          ),
        ),
    )
    .post(
      "/api/associations/:id/pause",
      describe("Pause or resume an address", nothing),
      fullSession,
      param(id),
      json(pauseInput),
      async (c) =>
        reply(
          c,
          await tracking.pauseAssociation(
            c.get("session").accountId,
            c.req.valid("param").id,
            c.req.valid("json").paused,
          ),
        ),
    )
    .delete("/api/associations/:id", describe("Stop tracking an address", nothing), fullSession, param(id), async (c) =>
      reply(c, await tracking.removeAssociation(c.get("session").accountId, c.req.valid("param").id)),
    );
}
