import { incidents } from "./incidents.ts";
import { maintenance } from "./maintenance.ts";
import type { OperationsDeps } from "./ports.ts";
import { uptime } from "./uptime.ts";

export type { OperationsDeps } from "./ports.ts";
export type Operations = ReturnType<typeof createOperations>;

/** How the service has done, and what its operator says of it. */
export function createOperations(deps: OperationsDeps) {
  return { ...incidents(deps), ...uptime(deps), ...maintenance(deps) };
}
