import type { Context } from "hono";
import type { ApiScope } from "../shared/api_scopes.ts";
import { type Failure, fail, type Result } from "../shared/result.ts";
import { replyFailure } from "./reply.ts";
import { challenge } from "./session.ts";

/** Of a request, all that matters here. */
type Asker = { get(name: "scopes"): ApiScope[] | undefined };

/** Whether the answer may tell what was found: to a person, and to a program that may read alerts. */
export function mayTellFindings(c: Asker): boolean {
  return c.get("scopes")?.includes("alerts:read") ?? true;
}

/**
 * The answer for whoever asks. `hidden` is what takes the place of findings: null, which the schema allows and the type does
 * not, as our own pages always read them.
 */
export function tellingFindings<Value extends object, Code extends Failure["code"]>(
  c: Asker,
  result: Result<Value, Code>,
  hidden: (value: Value) => object,
): Result<Value, Code> {
  if (!result.ok || mayTellFindings(c)) return result;
  return { ...result, value: hidden(result.value) as Value };
}

/** What the program's token lacks, by the challenge of RFC 6750. */
export function replyInsufficient(c: Context, needed: readonly string[]) {
  c.header("WWW-Authenticate", challenge({ error: "insufficient_scope", scope: needed.join(" ") }));
  return replyFailure(c, fail("INSUFFICIENT_SCOPE"));
}
