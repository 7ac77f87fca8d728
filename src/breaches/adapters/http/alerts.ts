import { Hono } from "hono";
import * as v from "valibot";
import { json, param, query } from "../../../http/body.ts";
import { breachFacts } from "../../../http/breach_facts.ts";
import { replyCsv } from "../../../http/csv_file.ts";
import { describe } from "../../../http/describe.ts";
import { reply, replyFailure } from "../../../http/reply.ts";
import { fullSession, type HttpEnv } from "../../../http/session.ts";
import { HANDLE_REASONS, PASSWORD_CHANGES } from "../../../shared/alert.ts";
import { BREACH_FLAGS } from "../../../shared/breach.ts";
import { DATA_GROUPS } from "../../../shared/data_groups.ts";
import { DELETION_DIFFICULTIES, SECOND_STEPS } from "../../../shared/services.ts";
import { uuid } from "../../../shared/text.ts";
import {
  alertChange,
  alertQuery,
  csvQuery,
  handleAllInput,
  handleInput,
  passwordChangeInput,
  reopenAllInput,
  seenInput,
  stepInput,
} from "../../inputs.ts";
import type { Breaches } from "../../mod.ts";

const id = v.object({ id: uuid() });
const changedSince = v.nullable(v.picklist(PASSWORD_CHANGES));
const alert = v.object({
  id: v.string(),
  associationId: v.string(),
  address: v.string(),
  state: v.picklist(["pending", "handled"]),
  baseline: v.boolean(),
  raisedAt: v.string(),
  handledAt: v.nullable(v.string()),
  reason: v.nullable(v.picklist(HANDLE_REASONS)),
  note: v.nullable(v.string()),
  worsenedAt: v.nullable(v.string()),
  version: v.number(),
  breach: v.nullable(breachFacts),
  sources: v.array(v.string()),
  steps: v.array(v.string()),
  changedSince,
  foundUnder: v.array(v.object({ address: v.string(), namesService: v.boolean() })),
});
const alertPage = v.object({
  items: v.array(alert),
  total: v.number(),
  page: v.number(),
  pageSize: v.number(),
  pending: v.number(),
});
const corrected = <Schema extends v.GenericSchema>(value: Schema) => v.nullable(v.object({ from: value, to: value }));
const flags = v.array(v.picklist(BREACH_FLAGS));
const listed = { url: v.nullable(v.string()), asOf: v.string() };
const service = v.object({
  domain: v.string(),
  changePassword: v.nullable(v.string()),
  deletion: v.nullable(
    v.object({ difficulty: v.picklist(DELETION_DIFFICULTIES), email: v.nullable(v.string()), ...listed }),
  ),
  secondStep: v.nullable(v.object({ kinds: v.array(v.picklist(SECOND_STEPS)), ...listed })),
  passkeys: v.nullable(v.object({ signsIn: v.boolean(), ...listed })),
});
const alertDetail = v.object({
  ...alert.entries,
  description: v.nullable(v.string()),
  disclosureUrl: v.nullable(v.string()),
  attribution: v.nullable(v.string()),
  changes: v.array(
    v.object({
      at: v.string(),
      addedClasses: v.array(v.string()),
      removedClasses: v.array(v.string()),
      addedFlags: flags,
      removedFlags: flags,
      count: corrected(v.number()),
      happened: corrected(v.string()),
      known: corrected(v.string()),
      title: corrected(v.string()),
      retired: v.nullable(v.boolean()),
      worse: v.boolean(),
    }),
  ),
  service: v.nullable(service),
});
const facets = v.object({
  addresses: v.array(v.object({ address: v.string(), count: v.number() })),
  categories: v.array(v.object({ key: v.string(), label: v.string(), count: v.number() })),
  flags: v.array(v.object({ flag: v.picklist(BREACH_FLAGS), count: v.number() })),
});
const counts = { breaches: v.number(), open: v.number() };
const figures = v.object({
  ...counts,
  groups: v.array(v.object({ group: v.picklist(DATA_GROUPS), breaches: v.number() })),
  years: v.array(v.object({ year: v.number(), ...counts })),
  undisclosed: v.number(),
});
const changedAlerts = v.object({ changed: v.array(alert), conflicts: v.array(v.string()) });

/** Reading alerts. */
function readingRoutes(breaches: Breaches) {
  return new Hono<HttpEnv>()
    .get(
      "/api/alerts",
      describe("List alerts, newest first by default", alertPage),
      fullSession,
      query(alertQuery),
      async (c) => reply(c, await breaches.listAlerts(c.get("session").accountId, c.req.valid("query"))),
    )
    .get("/api/alerts/facets", describe("List the filter values of alerts", facets), fullSession, async (c) =>
      reply(c, await breaches.listFacets(c.get("session").accountId)),
    )
    .get("/api/alerts/figures", describe("Get summary figures of the alerts", figures), fullSession, async (c) =>
      reply(c, await breaches.showFigures(c.get("session").accountId)),
    )
    .get("/api/alerts.csv", describe("Export the filtered alerts as CSV"), fullSession, query(csvQuery), async (c) => {
      const { language, ...selection } = c.req.valid("query");
      const file = await breaches.exportAlerts(c.get("session").accountId, selection, language);
      if (!file.ok) return replyFailure(c, file);
      return replyCsv(c, file.value);
    })
    .get("/api/alerts/:id", describe("Get an alert with its breach", alertDetail), fullSession, param(id), async (c) =>
      reply(c, await breaches.showAlert(c.get("session").accountId, c.req.valid("param").id)),
    )
    .get(
      "/api/bell",
      describe(
        "The latest alerts, and how many are new",
        v.object({ items: v.array(alert), fresh: v.number(), pending: v.number(), seenAt: v.nullable(v.string()) }),
      ),
      fullSession,
      async (c) => reply(c, await breaches.showBell(c.get("session").accountId)),
    );
}

/** What a person has done about an alert. */
function stepRoutes(breaches: Breaches) {
  return new Hono<HttpEnv>()
    .put(
      "/api/alerts/:id/steps",
      describe("Mark an advised step as done or not done", v.object({ steps: v.array(v.string()) })),
      fullSession,
      param(id),
      json(stepInput),
      async (c) =>
        reply(c, await breaches.tickStep(c.get("session").accountId, c.req.valid("param").id, c.req.valid("json"))),
    )
    .put(
      "/api/alerts/:id/password",
      describe("Say when the password was last changed", v.object({ steps: v.array(v.string()), changedSince })),
      fullSession,
      param(id),
      json(passwordChangeInput),
      async (c) => {
        const { accountId } = c.get("session");
        return reply(c, await breaches.notePasswordChange(accountId, c.req.valid("param").id, c.req.valid("json")));
      },
    );
}

/** Routes that change alerts. */
function turningRoutes(breaches: Breaches) {
  return new Hono<HttpEnv>()
    .post(
      "/api/alerts/handle",
      describe("Mark several alerts as handled", changedAlerts),
      fullSession,
      json(handleAllInput),
      async (c) => {
        const { alerts, ...why } = c.req.valid("json");
        return reply(c, await breaches.handleAlerts(c.get("session").accountId, alerts, why));
      },
    )
    .post(
      "/api/alerts/reopen",
      describe("Mark several alerts as pending", changedAlerts),
      fullSession,
      json(reopenAllInput),
      async (c) => reply(c, await breaches.reopenAlerts(c.get("session").accountId, c.req.valid("json").alerts)),
    )
    .post(
      "/api/alerts/:id/handle",
      describe("Mark as handled", alert),
      fullSession,
      param(id),
      json(handleInput),
      async (c) => {
        const { version, ...why } = c.req.valid("json");
        return reply(c, await breaches.handleAlert(c.get("session").accountId, c.req.valid("param").id, version, why));
      },
    )
    .post(
      "/api/alerts/:id/reopen",
      describe("Mark an alert as pending", alert),
      fullSession,
      param(id),
      json(alertChange),
      async (c) =>
        reply(
          c,
          await breaches.reopenAlert(c.get("session").accountId, c.req.valid("param").id, c.req.valid("json").version),
        ),
    )
    .post(
      "/api/bell/seen",
      describe("Mark alerts as seen up to a time", v.object({ fresh: v.number() })),
      fullSession,
      json(seenInput),
      async (c) => reply(c, await breaches.markSeen(c.get("session").accountId, c.req.valid("json").until)),
    );
}

export function alertRoutes(breaches: Breaches) {
  return new Hono<HttpEnv>()
    .route("/", readingRoutes(breaches))
    .route("/", turningRoutes(breaches))
    .route("/", stepRoutes(breaches));
}
