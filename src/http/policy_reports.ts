import { Hono } from "hono";
import * as v from "valibot";
import { isLanguage } from "../shared/language.ts";
import { fail } from "../shared/result.ts";
import { rollingCount } from "../shared/rolling_count.ts";
import { text } from "../shared/text.ts";
import { wholeBody } from "./body.ts";
import { hidden } from "./describe.ts";
import { replyFailure } from "./reply.ts";
import { DIRECTIVES, POLICY_REPORTS } from "./security.ts";
import type { HttpEnv } from "./session.ts";

const BODY_LIMIT = 32 * 1024;
const TYPE = "application/reports+json";
const MINUTE_MS = 60_000;
const MOST_A_MINUTE = 120;
/** How long further violations of the same directive are not logged. */
const QUIET_MS = 60 * MINUTE_MS;

type Watch = {
  publicUrl: string;
  now: () => Date;
  /** Counts one violation. */
  count: (directive: string) => void;
  say: (message: string, details: Record<string, unknown>) => void;
};

/** The fields of a report that we use; the others are ignored. */
const report = v.object({
  type: v.literal("csp-violation"),
  body: v.object({ effectiveDirective: text(100), documentURL: text(BODY_LIMIT) }),
});

/** The page's name only: the rest of its URL may contain addresses and tokens. */
export function pageOf(address: string): string {
  const [, language = "", page = ""] = URL.canParse(address) ? new URL(address).pathname.split("/") : [];
  return isLanguage(language) && /^[a-z-]{1,30}$/.test(page) ? `/:lang/${page}` : "(other)";
}

/** A directive of our policy; browsers report the finer ones, such as `script-src-elem`. */
function directiveOf(named: string): string {
  return DIRECTIVES.find((one) => one === named.replace(/-(elem|attr)$/, "")) ?? "other";
}

/**
 * Accepts CSP violation reports. Browsers send them automatically, with their own content type, without `Sec-Fetch-Site` and
 * partly without an origin, so this goes before the same-origin check. It reads no session and only increments counters. Reports
 * of other sites carry a foreign origin and need a preflight, which is refused. Anybody can forge a report, so only known names
 * are kept of it, and their number is bounded.
 */
export function policyReports({ publicUrl, now, count, say }: Watch) {
  const own = new URL(publicUrl).origin;
  const taken = rollingCount(MINUTE_MS);
  const saidAt = new Map<string, number>();
  function take({ effectiveDirective, documentURL }: v.InferOutput<typeof report>["body"]): void {
    const directive = directiveOf(effectiveDirective);
    const at = now().getTime();
    count(directive);
    if (at - (saidAt.get(directive) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
    saidAt.set(directive, at);
    say("A page violated the Content Security Policy", { directive, page: pageOf(documentURL) });
  }
  return new Hono<HttpEnv>().post(
    POLICY_REPORTS,
    hidden,
    async (c, next) => {
      if ((c.req.header("Origin") ?? own) !== own) return replyFailure(c, fail("CROSS_SITE"));
      if (c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase() !== TYPE)
        return replyFailure(c, fail("MEDIA_TYPE_UNSUPPORTED"));
      if (taken.countAt(now()) >= MOST_A_MINUTE)
        return replyFailure(c, fail("RATE_LIMITED", { retryAfter: MINUTE_MS / 1000 }));
      taken.add(now());
      return next();
    },
    wholeBody(BODY_LIMIT),
    async (c) => {
      const said: unknown = await c.req.json().catch(() => undefined);
      if (!Array.isArray(said)) return replyFailure(c, fail("INVALID_JSON"));
      for (const one of said) {
        const read = v.safeParse(report, one);
        if (read.success) take(read.output.body);
      }
      return c.body(null, 204);
    },
  );
}
