import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import { type Asked, NONE, type Outcome, PAGE } from "../http/request_pipeline.ts";
import type { AnswerCount } from "./answers.ts";
import type { Health } from "./health.ts";
import type { Answered } from "./metrics.ts";

type Watch = Pick<Health, "telemetry" | "log" | "isStopping"> & { answers: Pick<AnswerCount, "count"> };

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const PROBES = ["/livez", "/readyz", "/metrics"];
const FILE = "(file)";

/** The pattern of the route: paths can contain addresses, tokens and ids. */
export function routeOf(c: Context): string {
  const found = matchedRoutes(c).find((route) => route.method === c.req.method && route.path !== "/*");
  if (found) return found.path;
  if (c.res.status === 404) return NONE;
  return c.res.headers.get("Content-Type")?.startsWith("text/html") ? PAGE : FILE;
}

/** Background polls, static files and health checks are logged at debug level. */
function levelOf({ route, status }: Answered, isBackgroundPoll: boolean): keyof Health["log"] {
  if (status >= 500) return PROBES.includes(route) ? "debug" : "warn";
  return isBackgroundPoll || route === FILE || PROBES.includes(route) ? "debug" : "info";
}

/**
 * Logs, measures and traces each request; a process that shuts down closes its connections, so that clients reconnect elsewhere.
 */
export function requestWatch({ telemetry, log, answers, isStopping }: Watch) {
  return async (asked: Asked, work: () => Promise<Outcome>): Promise<Response> => {
    const from = performance.now();
    const { requestId, parent, isBackgroundPoll } = asked;
    const method = METHODS.includes(asked.method) ? asked.method : "other";
    const outcome = await telemetry.request({ method, requestId, parent }, work);
    const { route, status, response, isUnderMaintenance } = outcome;
    // Failing probes and maintenance mode are not errors.
    if (!PROBES.includes(route) && !isUnderMaintenance) answers.count(status);
    if (isStopping()) response.headers.set("Connection", "close");
    const ms = Math.round((performance.now() - from) * 10) / 10;
    log[levelOf(outcome, isBackgroundPoll)]("Request", { requestId, method, route, status, ms });
    return response;
  };
}
