import { Hono } from "hono";
import * as v from "valibot";
import { query } from "../http/body.ts";
import { describe } from "../http/describe.ts";
import { reply } from "../http/reply.ts";
import { fullSession, type HttpEnv } from "../http/session.ts";
import { mayWatchAnswer, requestsAnswer, sentAnswer, watchedByAnswer } from "../invitations/adapters/http/routes.ts";
import { pageQuery } from "../invitations/inputs.ts";
import type { Modules } from "../module_types.ts";
import { ok, type Result } from "../shared/result.ts";
import { associationsAnswer } from "../tracking/adapters/http/routes.ts";
import { STATUSES } from "../tracking/association.ts";
import { type AssociationQuery, associationQuery } from "../tracking/inputs.ts";

type Lists = Pick<Modules, "breaches" | "tracking" | "invitations">;

const { page } = pageQuery.entries;
/** The filters of the tracked addresses, and the page of each other list. */
const dashboardQuery = v.object({
  ...associationQuery.entries,
  sentPage: page,
  requestsPage: page,
  mayWatchPage: page,
  watchedByPage: page,
});
type DashboardQuery = v.InferOutput<typeof dashboardQuery>;

const managed = v.object({
  address: v.string(),
  managedBy: v.string(),
  status: v.picklist(STATUSES),
  breaches: v.number(),
  checkedAt: v.nullable(v.string()),
});
const dashboardAnswer = v.object({
  tracked: associationsAnswer,
  managed: v.nullable(managed),
  urgentAlertId: v.nullable(v.string()),
  sent: sentAnswer,
  requests: requestsAnswer,
  mayWatch: mayWatchAnswer,
  watchedBy: watchedByAnswer,
});

/** The account's own address as another account tracks it, where the account does not track it itself. */
async function managedBySomebody({ breaches }: Lists, accountId: string, address: string | undefined) {
  const seen = address === undefined ? undefined : await breaches.showMonitoring(accountId, address);
  if (!seen?.ok || seen.value.managedBy === null) return null;
  const { status, checkedAt, findings, managedBy } = seen.value;
  return { address: seen.value.address, managedBy: managedBy.name, status, breaches: findings.length, checkedAt };
}

/**
 * All of the dashboard's addresses in one answer, so that its parts cannot contradict each other. Invitations are read before
 * the addresses: one accepted in between then appears as tracked only.
 */
async function dashboardOf(modules: Lists, accountId: string, asked: DashboardQuery) {
  const { tracking, invitations, breaches } = modules;
  const [sent, requests, mayWatch, watchedBy] = await Promise.all([
    invitations.sentInvitations(accountId, asked.sentPage),
    invitations.accessRequests(accountId, asked.requestsPage),
    invitations.listMayWatch(accountId, asked.mayWatchPage),
    invitations.listWatchedBy(accountId, asked.watchedByPage),
  ]);
  const awaiting = await tracking.awaiting(
    accountId,
    valueIn(sent).items.map(({ associationId }) => associationId),
  );
  const filter: AssociationQuery = { search: asked.search, status: asked.status, page: asked.page };
  const tracked = valueIn(await tracking.listAssociations(accountId, filter, "attention"));
  const shown = new Set(tracked.items.map(({ id }) => id));
  const items = valueIn(sent).items.filter(
    ({ associationId }) => awaiting.has(associationId) && !shown.has(associationId),
  );
  const answered = valueIn(sent).items.length - items.length;
  return {
    tracked,
    managed: await managedBySomebody(modules, accountId, valueIn(watchedBy).items[0]?.address),
    urgentAlertId: tracked.waiting.alerts > 0 ? await breaches.mostUrgentAlert(accountId) : null,
    sent: { ...valueIn(sent), items, total: valueIn(sent).total - answered },
    requests: valueIn(requests),
    mayWatch: valueIn(mayWatch),
    watchedBy: valueIn(watchedBy),
  };
}

/** Unwraps a result that cannot fail. */
function valueIn<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`Cannot show the dashboard: ${result.code}`);
  return result.value;
}

export function dashboardRoutes(modules: Lists) {
  return new Hono<HttpEnv>().get(
    "/api/dashboard",
    describe("Get the dashboard", dashboardAnswer),
    fullSession,
    query(dashboardQuery),
    async (c) => reply(c, ok(await dashboardOf(modules, c.get("session").accountId, c.req.valid("query")))),
  );
}
