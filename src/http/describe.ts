import { describeRoute, resolver } from "hono-openapi";
import * as v from "valibot";

const failure = v.object({
  code: v.string(),
  fields: v.optional(v.record(v.string(), v.string())),
  retryAfter: v.optional(v.pipe(v.number(), v.integer())),
});

/** A route's entry in the OpenAPI document: what it does, what it answers, and that it may fail with a code. */
export function describe(summary: string, answer?: v.GenericSchema, status = 200) {
  return describeRoute({
    summary,
    responses: {
      [status]: answer
        ? { description: "Done", content: { "application/json": { schema: resolver(answer) } } }
        : { description: "Done" },
      default: {
        description: "Failed; the code says why",
        content: { "application/json": { schema: resolver(failure) } },
      },
    },
  });
}

/** Keeps a route out of the OpenAPI document: what only the staff may know exists, and what browsers call by themselves. */
export const hidden = describeRoute({ hide: true });
