import type { Alert, Association, FireDrill } from "../../web/api/api.ts";
import { ALICE, ago, HOUR } from "./fake_alerts.ts";

/** The fake server's fire drill. */
export type DrillScene = { drill: FireDrill | null };
type Stage = DrillScene & { alerts: Alert[]; associations: Association[] };

const LASTS = 24 * HOUR;

export function fireDrill(more: Partial<FireDrill> = {}): FireDrill {
  return {
    id: "f1",
    associationId: "a1",
    address: ALICE,
    alertId: "drill1",
    state: "pending",
    version: 1,
    startedAt: ago(HOUR),
    endsAt: ago(HOUR - LASTS),
    handledAt: null,
    ...more,
  };
}

/** As listed among the other alerts: without data or a source. */
export function drillAlert(more: Partial<Alert> = {}): Alert {
  const today = ago(0);
  return {
    id: "drill1",
    associationId: "a1",
    address: ALICE,
    state: "pending",
    baseline: false,
    version: 1,
    raisedAt: today,
    handledAt: null,
    reason: null,
    note: null,
    worsenedAt: null,
    changedSince: null,
    sources: [],
    steps: [],
    foundUnder: [],
    breach: {
      name: "drill:f1",
      title: "Fire drill",
      domain: "",
      breachDate: today.slice(0, 10),
      addedDate: today,
      dataClasses: ["Email addresses", "Passwords"],
      flags: ["drill"],
      pwnCount: 0,
      passwordStorage: "weak",
      manyServices: true,
      logo: null,
    },
    ...more,
  };
}

function started(stage: Stage, associationId: string): FireDrill {
  const address = stage.associations.find(({ id }) => id === associationId)?.address ?? "";
  stage.drill = fireDrill({ associationId, address, startedAt: ago(0), endsAt: ago(-LASTS) });
  stage.alerts = [drillAlert({ associationId, address }), ...stage.alerts];
  return stage.drill;
}

function handled(stage: Stage): Alert | undefined {
  const alert = stage.alerts.find(({ id }) => id === "drill1") ?? drillAlert();
  const turned = { state: "handled", handledAt: ago(0), version: alert.version + 1 } as const;
  if (stage.drill) Object.assign(stage.drill, turned);
  return Object.assign(alert, turned);
}

function ended(stage: Stage): object | undefined {
  if (!stage.drill) return undefined;
  stage.drill = null;
  stage.alerts = stage.alerts.filter(({ id }) => id !== "drill1");
  return {};
}

/** The response to a call about the drill, with its changes stored in the scene; undefined for any other call. */
export function answerDrill(stage: Stage, call: string, sent: unknown): unknown {
  const { associationId = "" } = (sent ?? {}) as { associationId?: string };
  const answers: Record<string, () => unknown> = {
    "GET /api/fire-drill": () => ({ drill: stage.drill }),
    "POST /api/fire-drill": () => started(stage, associationId),
    "DELETE /api/fire-drill": () => ended(stage),
    "POST /api/alerts/drill1/handle": () => handled(stage),
  };
  return answers[call]?.();
}
