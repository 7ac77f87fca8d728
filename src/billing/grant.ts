import type { Plan } from "../shared/plans.ts";

/** A plan granted by the operator for a limited time. */
export type Grant = { plan: Plan; quantity: number; from: Date; until: Date };

export function isGranted({ from, until }: Grant, now: Date): boolean {
  return from <= now && now < until;
}
