import type { Context } from "hono";
import type { ApiScope } from "../shared/api_scopes.ts";
import { type Failure, fail, type Result } from "../shared/result.ts";
import { replyFailure } from "./reply.ts";
import { challenge } from "./session.ts";

/** The parts of a request that decide what its answer may contain. */
type Asker = { get(name: "scopes"): ApiScope[] | undefined };

/** Whether the answer may contain findings: for a person, and for a program with a scope to read alerts. */
export function mayTellFindings(c: Asker): boolean {
  return c.get("scopes")?.includes("alerts:read") ?? true;
}

/**
 * Replaces the findings in an answer by `hidden` when the caller may not read them. `hidden` is null, which the schema allows;
 * the type does not, because our own pages always have permission.
 */
export function tellingFindings<Value extends object, Code extends Failure["code"]>(
  c: Asker,
  result: Result<Value, Code>,
  hidden: (value: Value) => object,
): Result<Value, Code> {
  if (!result.ok || mayTellFindings(c)) return result;
  return { ...result, value: hidden(result.value) as Value };
}

/** Names the missing scopes in the challenge of RFC 6750. */
export function replyInsufficient(c: Context, needed: readonly string[]) {
  c.header("WWW-Authenticate", challenge({ error: "insufficient_scope", scope: needed.join(" ") }));
  return replyFailure(c, fail("INSUFFICIENT_SCOPE"));
}
