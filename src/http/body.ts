import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { validator } from "hono-openapi";
import type { GenericSchema } from "valibot";
import { orLate } from "../shared/or_late.ts";
import { type ErrorCode, fail } from "../shared/result.ts";
import { replyFailure } from "./reply.ts";

/** Enough for the largest body over the slowest phone. */
const WITHIN_MS = 30_000;

/**
 * Reads the body before anything is done with it: at most `maxSize` bytes, within `withinMs`. A body that is cut off, as
 * strangers can do at will, is answered like one that is not JSON.
 */
export function wholeBody(maxSize: number, withinMs = WITHIN_MS): MiddlewareHandler {
  const limited = bodyLimit({ maxSize, onError: (c) => replyFailure(c, fail("BODY_TOO_LARGE")) });
  return async (c, next) => {
    if (c.req.raw.body === null) return next();
    const reading = limited(c, async () => {
      await c.req.arrayBuffer();
    }).catch(() => "cut" as const);
    const read = await orLate(withinMs, reading, "late" as const);
    if (read === "cut") return replyFailure(c, fail("INVALID_JSON"));
    if (read === "late") {
      c.header("Connection", "close");
      return replyFailure(c, fail("REQUEST_TIMEOUT"));
    }
    return read ?? next();
  };
}

type Issue = { message: string; path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined };

/**
 * The first error of each field. The schemas of `inputs.ts` use error codes as messages; valibot's own messages become
 * INVALID_INPUT.
 */
export function fieldsOf(issues: readonly Issue[]): Record<string, ErrorCode> {
  const fields = new Map<string, ErrorCode>();
  for (const { message, path } of issues) {
    const field = (path ?? []).map((step) => String(typeof step === "object" ? step.key : step)).join(".");
    const code = /^[A-Z][A-Z_]+$/.test(message) ? (message as ErrorCode) : "INVALID_INPUT";
    if (!fields.has(field)) fields.set(field, code);
  }
  return Object.fromEntries(fields);
}

function refuse(result: { success: boolean; error?: unknown }, c: Context) {
  if (result.success) return;
  return replyFailure(c, fail("INVALID_INPUT", { fields: fieldsOf(result.error as readonly Issue[]) }));
}

const inputs = new WeakMap<object, GenericSchema>();

/** The schema that a route's handler validates with, for tests that check every schema. */
export const inputOf = (handler: object) => inputs.get(handler);

function remembered<Handler extends object>(schema: GenericSchema, handler: Handler): Handler {
  inputs.set(handler, schema);
  return handler;
}

/** Validates a JSON body and adds the schema to the OpenAPI document. Unknown keys are up to the schema. */
export function json<Schema extends GenericSchema>(schema: Schema) {
  return remembered(schema, validator("json", schema, refuse));
}

/** The same for the query string and the path. */
export function query<Schema extends GenericSchema>(schema: Schema) {
  return remembered(schema, validator("query", schema, refuse));
}
export function param<Schema extends GenericSchema>(schema: Schema) {
  const unknown = validator("param", schema, (result, c) =>
    result.success ? undefined : replyFailure(c, fail("NOT_FOUND")),
  );
  return remembered(schema, unknown);
}
