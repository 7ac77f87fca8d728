import { Hono } from "hono";
import { accepts } from "hono/accepts";
import { isSame } from "../http/security.ts";

/** `text` is in the OpenMetrics format. */
type Exposition = { text: () => Promise<string>; contentType: string };

const OPEN_METRICS = "application/openmetrics-text";
const CLASSIC = "text/plain";

/** The same in Prometheus' classic text format, where a counter's family has the suffix of its samples. */
function classicText(openMetrics: string): string {
  const counters = new Set(Array.from(openMetrics.matchAll(/^# TYPE (\S+) counter$/gm), ([, name]) => name));
  return openMetrics
    .replaceAll(/^# (HELP|TYPE) (\S+)/gm, (line, word, name) => (counters.has(name) ? `# ${word} ${name}_total` : line))
    .replace(/^# EOF\n/m, "");
}

/** Metrics for requests with the token, if one is configured; otherwise a 404, and not the website's page. */
export function metricsRoute({ text, contentType }: Exposition, token: string | undefined) {
  return new Hono().get("/metrics", async (c) => {
    const given = c.req.header("Authorization")?.replace(/^Bearer +/i, "") ?? "";
    if (token !== undefined && !isSame(given, token)) return c.notFound();
    const wanted = accepts(c, { header: "Accept", supports: [OPEN_METRICS, CLASSIC], default: CLASSIC });
    const openMetrics = await text();
    const [body, type] =
      wanted === OPEN_METRICS
        ? [openMetrics, contentType]
        : [classicText(openMetrics), `${CLASSIC}; version=0.0.4; charset=utf-8`];
    return c.body(body, 200, { "Content-Type": type, "Cache-Control": "no-store" });
  });
}
