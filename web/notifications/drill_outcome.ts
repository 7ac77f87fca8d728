import type { Delivery } from "../api/api.ts";

type DrillDelivery = Pick<Delivery, "state" | "reason" | "at">;

/** The delivery outcome of a drill; `tookMs` is the time until the last delivered message. */
export type Outcome = {
  kind: "under_way" | "works" | "waiting" | "failed" | "needless";
  reached: number;
  total: number;
  tookMs: number;
};

/** Messages that were dropped because the alert was already handled do not count. */
export function outcomeOf(deliveries: DrillDelivery[], startedAt: string): Outcome {
  const meant = deliveries.filter(({ reason }) => reason !== "already_settled");
  const reached = meant.filter(({ state }) => state === "accepted");
  const last = Math.max(0, ...reached.map(({ at }) => Date.parse(at) - Date.parse(startedAt)));
  return { kind: kindOf(meant, deliveries.length), reached: reached.length, total: meant.length, tookMs: last };
}

function kindOf(meant: DrillDelivery[], all: number): Outcome["kind"] {
  const isAny = (...states: Delivery["state"][]) => meant.some(({ state }) => states.includes(state));
  if (meant.length === 0) return all === 0 ? "under_way" : "needless";
  if (isAny("queued", "sending")) return "under_way";
  if (isAny("refused", "skipped")) return "failed";
  return isAny("retrying", "waiting") ? "waiting" : "works";
}

const UNITS = [
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

/** A duration in the largest unit of which it has at least two; at least one second. */
export function lengthOf(ms: number): { value: number; unit: (typeof UNITS)[number][0] } {
  const [unit, size] = UNITS.find(([, each]) => ms >= 2 * each) ?? (["second", 1000] as const);
  return { value: Math.max(1, Math.round(ms / size)), unit };
}
