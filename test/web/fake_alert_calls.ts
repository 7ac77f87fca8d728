import type { PasswordChange } from "../../src/shared/alert.ts";
import { dataClassKey } from "../../src/shared/breach.ts";
import { figuresOf } from "../../src/shared/exposure_figures.ts";
import { severityOf } from "../../src/shared/severity.ts";
import type {
  Alert,
  AlertDetails,
  AlertFacets,
  AlertFigures,
  AlertPage,
  BellNews,
  HandlingWords,
  Monitoring,
} from "../../web/api/api.ts";
import { ago } from "./fake_alerts.ts";
import { pageOf } from "./fake_page.ts";

/** The fake server's alerts. */
export type AlertScene = {
  alerts: Alert[];
  /** Those of the address whose page is open. */
  monitoring: Monitoring;
  /** Additional data in the drawer, by alert. */
  details: Record<string, Partial<AlertDetails>>;
  /** When the bell was last opened. */
  seenAt: string | null;
};

type Call = { call: string; query: URLSearchParams; sent: unknown };
type Body = {
  alerts: { id: string; version: number }[];
  step: string;
  done: boolean;
  until: string;
  changed: PasswordChange;
} & HandlingWords;

const ORDERS: Record<string, (alert: Alert) => string | number> = {
  found: ({ raisedAt }) => raisedAt,
  happened: ({ breach }) => breach?.breachDate ?? "",
  known: ({ breach }) => breach?.addedDate ?? "",
  service: ({ breach }) => (breach?.title ?? "").toLowerCase(),
  address: ({ address }) => address,
  seriousness: ({ breach }) =>
    breach ? ["low", "medium", "high", "critical"].indexOf(severityOf(breach, new Date()).level) : -1,
};

function matches({ state, address, breach }: Alert, query: URLSearchParams): boolean {
  const wanted = (name: string, isSo: (value: string) => boolean | undefined) => {
    const value = query.get(name);
    return value === null || isSo(value) === true;
  };
  return (
    wanted("state", (value) => value === "all" || state === value) &&
    wanted("address", (value) => address === value) &&
    wanted("category", (value) => breach?.dataClasses.map(dataClassKey).includes(value)) &&
    wanted("flag", (value) => breach?.flags.some((flag) => flag === value)) &&
    wanted("search", (value) => `${breach?.title ?? ""} ${address}`.toLowerCase().includes(value.toLowerCase()))
  );
}

function listed({ alerts }: AlertScene, query: URLSearchParams): AlertPage {
  const order = ORDERS[query.get("sort") ?? "found"] ?? (() => 0);
  const turn = query.get("direction") === "asc" ? 1 : -1;
  const sorted = alerts
    .filter((alert) => matches(alert, query))
    .toSorted((one, other) => (order(one) < order(other) ? -turn : order(one) > order(other) ? turn : 0));
  return { ...pageOf(sorted, query), pending: alerts.filter(({ state }) => state === "pending").length };
}

function facetsOf({ alerts }: AlertScene): AlertFacets {
  const count = (values: string[]) =>
    [...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length] as const);
  const breaches = alerts.flatMap(({ breach }) => breach ?? []);
  return {
    addresses: count(alerts.map(({ address }) => address)).map(([address, n]) => ({ address, count: n })),
    categories: count(breaches.flatMap(({ dataClasses }) => dataClasses)).map(([label, n]) => ({
      key: dataClassKey(label),
      label,
      count: n,
    })),
    flags: count(breaches.flatMap(({ flags }) => flags)).map(([flag, n]) => ({
      flag: flag as AlertFacets["flags"][number]["flag"],
      count: n,
    })),
  };
}

function alertFigures({ alerts }: AlertScene): AlertFigures {
  const shown = alerts.flatMap(({ breach, state }) => (breach ? { ...breach, open: state === "pending" } : []));
  return { ...figuresOf(shown), undisclosed: alerts.length - shown.length };
}

function turned({ alerts, monitoring }: AlertScene, state: Alert["state"], sent: Body) {
  const changed: Alert[] = [];
  const conflicts: string[] = [];
  for (const { id, version } of sent.alerts) {
    const one = alerts.find((alert) => alert.id === id);
    if (one?.version !== version) conflicts.push(id);
    else {
      const handledAt = state === "handled" ? ago(0) : null;
      Object.assign(one, {
        state,
        handledAt,
        version: version + 1,
        reason: sent.reason ?? null,
        note: sent.note ?? null,
      });
      for (const finding of monitoring.findings)
        if (finding.alertId === id) Object.assign(finding, { state, version: version + 1 });
      changed.push({ ...one });
    }
  }
  return { changed, conflicts };
}

function detailOf({ alerts, details }: AlertScene, id: string): AlertDetails | undefined {
  const alert = alerts.find((one) => one.id === id);
  const nothing = { description: null, disclosureUrl: null, attribution: null, changes: [], service: null };
  return alert && { ...alert, ...nothing, ...(alert.breach && details[id]) };
}

function ticked({ alerts }: AlertScene, id: string, { step, done }: Body) {
  const alert = alerts.find((one) => one.id === id);
  if (!alert) return undefined;
  alert.steps = [...alert.steps.filter((other) => other !== step), ...(done ? [step] : [])];
  return { steps: alert.steps };
}

function passwordNoted(scene: AlertScene, id: string, { changed }: Body) {
  const alert = scene.alerts.find((one) => one.id === id);
  if (!alert) return undefined;
  alert.changedSince = changed;
  if (changed === "after") alert.steps = [...new Set([...alert.steps, "password"])];
  return { steps: alert.steps, changedSince: changed };
}

function newsAt({ raisedAt, worsenedAt }: Alert): string {
  return worsenedAt ?? raisedAt;
}

function freshOf({ alerts, seenAt }: AlertScene): number {
  return alerts.filter((one) => one.state === "pending" && (seenAt === null || newsAt(one) > seenAt)).length;
}

function bell(stage: AlertScene): BellNews {
  const items = stage.alerts.toSorted((one, other) => newsAt(other).localeCompare(newsAt(one))).slice(0, 10);
  const pending = stage.alerts.filter(({ state }) => state === "pending").length;
  return { items, fresh: freshOf(stage), pending, seenAt: stage.seenAt };
}

/** The response to a call about alerts, with its changes stored in the scene; undefined for any other call. */
export function answerAlerts(stage: AlertScene, { call, query, sent }: Call): unknown {
  const body = (sent ?? {}) as Body;
  const [, id = ""] = /^\w+ \/api\/alerts\/(\w+)/.exec(call) ?? [];
  const answers: Record<string, () => unknown> = {
    [`GET /api/alerts/${id}`]: () => detailOf(stage, id),
    [`PUT /api/alerts/${id}/steps`]: () => ticked(stage, id, body),
    [`PUT /api/alerts/${id}/password`]: () => passwordNoted(stage, id, body),
    "GET /api/alerts": () => listed(stage, query),
    "GET /api/alerts/facets": () => facetsOf(stage),
    "GET /api/alerts/figures": () => alertFigures(stage),
    "POST /api/alerts/handle": () => turned(stage, "handled", body),
    "POST /api/alerts/reopen": () => turned(stage, "pending", body),
    "GET /api/bell": () => bell(stage),
    "POST /api/bell/seen": () => {
      stage.seenAt = body.until;
      return { fresh: freshOf(stage) };
    },
  };
  return answers[call]?.();
}
