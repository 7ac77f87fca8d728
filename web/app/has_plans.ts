import type { Instance } from "../api/api.ts";

/** An installation without billing has no plans. */
export function hasPlans({ billing }: Instance): boolean {
  return billing !== "off";
}
