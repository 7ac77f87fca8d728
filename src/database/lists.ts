import { type SQL, sql } from "drizzle-orm";

/** A list in one parameter, so that the statement is the same however long it is: `column in ${listed(values)}`. */
export function listed(values: string[], type: "text" | "uuid" = "text"): SQL {
  return sql`(select value::${sql.raw(type)} from json_array_elements_text(${JSON.stringify(values)}::json))`;
}
