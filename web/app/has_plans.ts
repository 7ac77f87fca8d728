import type { Instance } from "../api/api.ts";

/** Where nobody pays, there are no plans to see. */
export function hasPlans({ billing }: Instance): boolean {
  return billing !== "off";
}
