import { Hono } from "hono";
import * as v from "valibot";
import { json, param, query } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply } from "../../../http/reply.ts";
import { fullSession, type HttpEnv } from "../../../http/session.ts";
import { CHANNELS } from "../../../shared/contacts.ts";
import { LANGUAGES } from "../../../shared/language.ts";
import { uuid } from "../../../shared/text.ts";
import { contactInput, contactQuery, settingsInput, testInput, testQuery } from "../../inputs.ts";
import type { Notifications } from "../../mod.ts";

const id = v.object({ id: uuid() });
const text = v.nullable(v.string());

const count = v.pipe(v.number(), v.integer());
const use = v.object({ associationId: v.string(), address: v.string() });

export const contact = v.object({
  id: v.string(),
  channel: v.picklist(CHANNELS),
  value: v.string(),
  label: text,
  state: v.picklist(["unconfirmed", "active", "unsubscribed", "broken"]),
  own: v.boolean(),
  asked: v.boolean(),
  language: v.nullable(v.picklist(LANGUAGES)),
  settings: v.object({
    device: text,
    devices: v.array(v.string()),
    emergency: v.boolean(),
    hasSecret: v.boolean(),
    discreet: v.boolean(),
    digestBelow: v.nullable(v.picklist(["medium", "high", "critical", "always"])),
    digestHour: v.nullable(v.number()),
    quiet: v.nullable(v.object({ from: v.string(), to: v.string() })),
    zone: text,
  }),
  createdAt: v.string(),
  lastSentAt: text,
  failure: v.nullable(v.object({ at: v.string(), detail: text })),
  waiting: v.number(),
  usedBy: v.array(use),
  uses: count,
});
/** `added` is false for a contact that the account had already. */
const addedContact = v.object({ ...contact.entries, added: v.boolean() });
const contactPage = v.object({
  items: v.array(contact),
  total: count,
  page: count,
  pageSize: count,
  reach: v.object({
    dead: v.array(use),
    deadCount: count,
    unanswered: v.array(use),
    unansweredCount: count,
    troubled: count,
    ownStopped: v.boolean(),
  }),
});

/** A message to a contact, with its state. */
export const deliveryLogRow = v.object({
  id: v.string(),
  contactId: text,
  channel: v.picklist(CHANNELS),
  value: v.string(),
  label: text,
  kind: v.string(),
  state: v.picklist(["queued", "sending", "accepted", "retrying", "refused", "skipped", "waiting"]),
  reason: text,
  detail: text,
  at: v.string(),
  nextTryAt: text,
  tries: v.number(),
  inDoubt: v.boolean(),
  providerId: text,
  acknowledgedAt: text,
});

/** The contacts page, and the deliveries of an alert. */
export function contactRoutes(notifications: Notifications) {
  return new Hono<HttpEnv>()
    .get(
      "/api/contacts",
      describe("List the account's contacts with their delivery health", contactPage),
      fullSession,
      query(contactQuery),
      async (c) => reply(c, await notifications.listContacts(c.get("session").accountId, c.req.valid("query"))),
    )
    .post(
      "/api/contacts",
      describe("Add a contact and ask it to confirm", addedContact, 201),
      fullSession,
      json(contactInput),
      async (c) => reply(c, await notifications.addContact(c.get("session").accountId, c.req.valid("json")), 201),
    )
    .put(
      "/api/contacts/:id/settings",
      describe("Replace a contact's settings", contact),
      fullSession,
      param(id),
      json(settingsInput),
      async (c) => {
        const { accountId } = c.get("session");
        return reply(
          c,
          await notifications.saveContactSettings(accountId, c.req.valid("param").id, c.req.valid("json")),
        );
      },
    )
    .post("/api/contacts/:id/ask", describe("Ask the contact to confirm again"), fullSession, param(id), async (c) =>
      reply(c, await notifications.askContact(c.get("session").accountId, c.req.valid("param").id)),
    )
    .post(
      "/api/contacts/:id/repair",
      describe("Retry a contact that failed", contact),
      fullSession,
      param(id),
      async (c) => reply(c, await notifications.repairContact(c.get("session").accountId, c.req.valid("param").id)),
    )
    .post(
      "/api/contacts/:id/secret",
      describe("Create a new signing secret for a webhook, shown once", v.object({ secret: v.string() })),
      fullSession,
      param(id),
      async (c) => reply(c, await notifications.renewSecret(c.get("session").accountId, c.req.valid("param").id)),
    )
    .delete("/api/contacts/:id", describe("Remove the contact from all addresses"), fullSession, param(id), async (c) =>
      reply(c, await notifications.removeContact(c.get("session").accountId, c.req.valid("param").id)),
    )
    .post(
      "/api/test-alerts",
      describe(
        "Send a test to contacts",
        v.object({ items: v.array(v.object({ id: v.string(), contactId: v.string() })) }),
      ),
      fullSession,
      json(testInput),
      async (c) => reply(c, await notifications.sendTests(c.get("session").accountId, c.req.valid("json").contactIds)),
    )
    .get(
      "/api/test-alerts",
      describe("List the results of test alerts", v.object({ items: v.array(deliveryLogRow) })),
      fullSession,
      query(testQuery),
      async (c) => reply(c, await notifications.showTests(c.get("session").accountId, c.req.valid("query").ids)),
    )
    .get(
      "/api/alerts/:id/deliveries",
      describe(
        "List the messages sent about an alert",
        v.object({ items: v.array(deliveryLogRow), removedAfterDays: v.optional(v.number()) }),
      ),
      fullSession,
      param(id),
      async (c) =>
        reply(c, await notifications.listAlertDeliveries(c.get("session").accountId, c.req.valid("param").id)),
    );
}
