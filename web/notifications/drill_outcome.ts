import type { Delivery } from "../api/api.ts";

type DrillDelivery = Pick<Delivery, "state" | "reason" | "at">;

/** How the messages of a drill came through; `tookMs` until the last one that did. */
export type Outcome = {
  kind: "under_way" | "works" | "waiting" | "failed" | "needless";
  reached: number;
  total: number;
  tookMs: number;
};

/** Whom nobody had to tell any more, as the alert had been handled, counts neither for nor against. */
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

/** A length of time in the largest unit of which it has two; at least one second. */
export function lengthOf(ms: number): { value: number; unit: (typeof UNITS)[number][0] } {
  const [unit, size] = UNITS.find(([, each]) => ms >= 2 * each) ?? (["second", 1000] as const);
  return { value: Math.max(1, Math.round(ms / size)), unit };
}
