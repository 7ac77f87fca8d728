import { timingSafeEqual } from "node:crypto";
import { Hono } from "hono";

type Exposition = { text: () => Promise<string>; contentType: string };

function same(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** Metrics for requests with the token, if one is configured; otherwise a 404. */
export function metricsRoute({ text, contentType }: Exposition, token: string | undefined) {
  return new Hono().get("/metrics", async (c, next) => {
    const given = c.req.header("Authorization")?.replace(/^Bearer +/i, "") ?? "";
    if (token !== undefined && !same(given, token)) return next();
    return c.body(await text(), 200, { "Content-Type": contentType, "Cache-Control": "no-store" });
  });
}
