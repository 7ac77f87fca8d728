import { describeRoute, resolver } from "hono-openapi";
import type * as v from "valibot";

/**
 * A route's entry in the OpenAPI document: its summary and its answer; `openapi.ts` adds how it may fail. `mediaType` is for an
 * answer of several documents, each of this schema.
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
    },
  });
}

/** Keeps a route out of the OpenAPI document: staff routes, and those that browsers call automatically. */
export const hidden = describeRoute({ hide: true });
