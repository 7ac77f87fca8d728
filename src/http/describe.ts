import { describeRoute, resolver } from "hono-openapi";
import * as v from "valibot";

const failure = v.object({
  code: v.string(),
  fields: v.optional(v.record(v.string(), v.string())),
  retryAfter: v.optional(v.pipe(v.number(), v.integer())),
  publicUrl: v.optional(v.string()),
});

/**
 * A route's entry in the OpenAPI document: its summary, its answer, and that it may fail with an error code. `mediaType` is for
 * an answer of several documents, each of this schema.
 */
export function describe(
  summary: string,
  answer?: v.GenericSchema,
  status = 200,
  { mediaType = "application/json" } = {},
) {
  return describeRoute({
    summary,
    responses: {
      [status]: answer
        ? { description: "Done", content: { [mediaType]: { schema: resolver(answer) } } }
        : { description: "Done" },
      default: {
        description: "Failed; the code says why",
        content: { "application/json": { schema: resolver(failure) } },
      },
    },
  });
}

/** Keeps a route out of the OpenAPI document: staff routes, and those that browsers call automatically. */
export const hidden = describeRoute({ hide: true });
