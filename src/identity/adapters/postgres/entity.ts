type Entity<Row> = { [Key in keyof Row]: null extends Row[Key] ? NonNullable<Row[Key]> | undefined : Row[Key] };

/** Converts a row to its entity: null becomes undefined. */
export function entity<Row extends object>(row: Row): Entity<Row>;
export function entity<Row extends object>(row: Row | undefined): Entity<Row> | undefined;
export function entity<Row extends object>(row: Row | undefined) {
  return row && Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value ?? undefined]));
}
