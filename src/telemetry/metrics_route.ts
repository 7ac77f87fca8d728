import { timingSafeEqual } from "node:crypto";
import { Hono } from "hono";

type Exposition = { text: () => Promise<string>; contentType: string };

function same(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** Figures for who has the token, where there is one. To everybody else they are not there. */
export function metricsRoute({ text, contentType }: Exposition, token: string | undefined) {
  return new Hono().get("/metrics", async (c, next) => {
    const given = c.req.header("Authorization")?.replace(/^Bearer +/i, "") ?? "";
    if (token !== undefined && !same(given, token)) return next();
    return c.body(await text(), 200, { "Content-Type": contentType, "Cache-Control": "no-store" });
  });
}
