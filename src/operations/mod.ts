import { eventLog } from "./event_log.ts";
import { eventSinks } from "./event_sinks.ts";
import { incidents } from "./incidents.ts";
import { maintenance } from "./maintenance.ts";
import type { OperationsDeps } from "./ports.ts";
import { uptime } from "./uptime.ts";

export type { EventSink, OperatorEvent } from "./event_log_ports.ts";
export type { OperationsDeps } from "./ports.ts";
export type Operations = ReturnType<typeof createOperations>;

/** The status page (measured uptime, and incidents published by the operator), maintenance mode, and the log of events. */
export function createOperations(deps: OperationsDeps) {
  return { ...incidents(deps), ...uptime(deps), ...maintenance(deps), ...eventLog(deps), ...eventSinks(deps) };
}
