import { incidents } from "./incidents.ts";
import { maintenance } from "./maintenance.ts";
import type { OperationsDeps } from "./ports.ts";
import { uptime } from "./uptime.ts";

export type { OperationsDeps } from "./ports.ts";
export type Operations = ReturnType<typeof createOperations>;

/** The status page: measured uptime, and incidents published by the operator. */
export function createOperations(deps: OperationsDeps) {
  return { ...incidents(deps), ...uptime(deps), ...maintenance(deps) };
}
