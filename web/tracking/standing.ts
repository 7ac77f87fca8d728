import type { Dashboard, Subscription } from "../api/api.ts";

/** The combined state of all addresses of an account, in order of precedence. */
export type Standing =
  | { kind: "attention"; count: number; all: number }
  /** The only breached address is one that another account tracks. */
  | { kind: "managed"; count: number }
  | { kind: "over" }
  | { kind: "checking"; count: number }
  | { kind: "delayed" }
  | { kind: "rest"; count: number }
  | { kind: "asked"; count: number }
  | { kind: "first" }
  /** Every address has been checked, and no alert is pending. */
  | { kind: "calm"; all: number };

type Facts = Pick<Dashboard, "managed"> & {
  tracked: Pick<Dashboard["tracked"], "counts" | "waiting" | "stale">;
  sent: Pick<Dashboard["sent"], "total">;
};

/** Nothing is checked until a plan is chosen. An unpaid plan is excluded, as it has a notice of its own. */
export function isOver(subscription: Subscription | undefined): boolean {
  return subscription?.status === "inactive" && !subscription.unpaid;
}

export function overallState({ tracked, managed, sent }: Facts, plan: { isOver: boolean }): Standing {
  const { counts, waiting, stale } = tracked;
  const isManaged = managed !== null;
  const all = counts.all + (isManaged ? 1 : 0);
  const checking = counts.active + (managed?.status === "active" ? 1 : 0);
  const resting = counts.inactive + (managed?.status === "inactive" ? 1 : 0);
  if (waiting.addresses > 0)
    return { kind: "attention", count: waiting.addresses + (managed?.status === "breached" ? 1 : 0), all };
  if (managed?.status === "breached") return { kind: "managed", count: managed.breaches };
  if (plan.isOver) return { kind: "over" };
  if (checking > 0) return { kind: "checking", count: checking };
  if (stale) return { kind: "delayed" };
  if (resting > 0) return { kind: "rest", count: resting };
  if (all > 0) return { kind: "calm", all };
  return sent.total > 0 ? { kind: "asked", count: sent.total } : { kind: "first" };
}
