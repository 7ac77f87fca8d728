import { createHash, timingSafeEqual } from "node:crypto";
import { Hono } from "hono";
import * as v from "valibot";
import { json, wholeBody } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply, replyFailure } from "../../../http/reply.ts";
import type { HttpEnv } from "../../../http/session.ts";
import { fail } from "../../../shared/result.ts";
import { text } from "../../../shared/text.ts";
import type { Breaches } from "../../mod.ts";

const BODY_LIMIT = 1024 * 1024;
const MOST_SUFFIXES = 20_000;

const suffix = v.pipe(text(34), v.regex(/^[0-9a-f]{34}$/i));

/** Other keys are ignored. */
const push = v.object({
  breachName: v.pipe(text(100), v.nonEmpty(), v.excludes("\0"), v.excludes("\ufffd")),
  hashPrefix: v.pipe(text(6), v.regex(/^[0-9a-f]{6}$/i)),
  // Each on its own: unreadable ones are left out as long as there are others.
  hashSuffixes: v.pipe(
    v.array(v.fallback(v.nullable(suffix), null)),
    v.maxLength(MOST_SUFFIXES),
    v.transform((list) => list.filter((one) => one !== null)),
    v.minLength(1),
  ),
});

const digest = (text: string) => createHash("sha256").update(text).digest();

/** The push endpoint for a source with a contract. Several tokens are valid at once, so that one can be rotated. */
export function pushRoutes(breaches: Breaches, tokens: string[]) {
  const valid = tokens.map(digest);
  /** Compares all tokens in constant time. */
  function isValid(header: string | undefined): boolean {
    const [, token] = /^Bearer +(\S+)$/i.exec(header ?? "") ?? [];
    const given = digest(token ?? "");
    const matches = valid.filter((one) => timingSafeEqual(one, given));
    return token !== undefined && matches.length > 0;
  }
  return new Hono<HttpEnv>().post(
    "/api/hibp/notify",
    describe("Receive a webhook from a breach source", v.object({ success: v.literal(true) })),
    async (c, next) => {
      c.header("Cache-Control", "no-store");
      if (isValid(c.req.header("Authorization"))) return next();
      c.header("WWW-Authenticate", "Bearer");
      return replyFailure(c, fail("UNAUTHENTICATED"));
    },
    wholeBody(BODY_LIMIT),
    json(push),
    async (c) => reply(c, await breaches.takePush(c.req.valid("json"))),
  );
}
