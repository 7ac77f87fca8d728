import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { waitingOnce } from "../database/patience.ts";
import { type HttpEnv, UNATTENDED } from "../http/session.ts";
import type { AnswerCount } from "./answers.ts";
import { withFacts } from "./context.ts";
import type { Telemetry } from "./telemetry.ts";

type Level = "debug" | "info" | "warn";
type Watch = {
  telemetry: Telemetry;
  log: Record<Level, (message: string, details: Record<string, unknown>) => void>;
  answers: Pick<AnswerCount, "count">;
  isStopping: () => boolean;
  /** Whether this is a proxy whose word counts. */
  isBelieved: (address: string) => boolean;
};

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const PROBES = ["/livez", "/readyz", "/metrics"];
const [PAGE, FILE, NONE] = ["(page)", "(file)", "(none)"];

/** The pattern of the route that answered; addresses, tokens and ids stand in paths. */
function routeOf(c: Context): string {
  const method = c.req.method === "HEAD" ? "GET" : c.req.method;
  const found = matchedRoutes(c).find((route) => route.method === method && route.path !== "/*");
  if (found) return found.path;
  if (c.res.status === 404) return NONE;
  return c.res.headers.get("Content-Type")?.startsWith("text/html") ? PAGE : FILE;
}

/** What nobody asked for by hand is told to who wants to know it all. */
function levelOf(c: Context, route: string): Level {
  if (c.res.status >= 500) return PROBES.includes(route) ? "debug" : "warn";
  const isAside = route === FILE || PROBES.includes(route) || c.req.header(UNATTENDED) !== undefined;
  return isAside ? "debug" : "info";
}

/** Follows each request: one line in the log, figures, a span; and who is answered by a process that ends comes back elsewhere. */
export function observeRequests({
  telemetry,
  log,
  answers,
  isStopping,
  isBelieved,
}: Watch): MiddlewareHandler<HttpEnv & { Bindings: { ip?: string } }> {
  return (c, next) => {
    const requestId = c.get("requestId");
    return withFacts({ requestId }, async () => {
      const from = performance.now();
      const method = METHODS.includes(c.req.method) ? c.req.method : "other";
      const parent = isBelieved(c.env?.ip ?? "") ? c.req.header("traceparent") : undefined;
      const { route, status } = await telemetry.request({ method, requestId, parent }, async () => {
        await waitingOnce(next);
        return { route: routeOf(c), status: c.res.status };
      });
      // Neither a probe's word nor a rest that the operator wants is an error.
      if (!PROBES.includes(route) && !c.get("resting")) answers.count(status);
      if (isStopping()) c.res.headers.set("Connection", "close");
      const ms = Math.round((performance.now() - from) * 10) / 10;
      log[levelOf(c, route)]("Request", { method, route, status, ms });
    });
  };
}
