import * as v from "valibot";

export const alertQuery = v.object({
  state: v.optional(v.picklist(["all", "pending", "handled"]), "all"),
  // Postgres cannot compare with the character 0.
  search: v.optional(v.pipe(v.string(), v.excludes("\0", "INVALID_INPUT"), v.trim(), v.maxLength(320)), ""),
  page: v.optional(v.pipe(v.string(), v.digits(), v.maxLength(6), v.toNumber(), v.minValue(1)), "1"),
});

/** The version of the alert that the person saw. */
export const alertChange = v.strictObject({ version: v.pipe(v.number("INVALID_INPUT"), v.integer("INVALID_INPUT")) });
