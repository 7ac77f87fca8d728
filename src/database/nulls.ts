export type WithoutNulls<Row> = Row extends object
  ? { [Key in keyof Row]: null extends Row[Key] ? Exclude<Row[Key], null> | undefined : Row[Key] }
  : Row;
type WithNulls<Value> = {
  [Key in keyof Value]: undefined extends Value[Key] ? Exclude<Value[Key], undefined> | null : Value[Key];
};

/** A row as the modules know it: a column without a value is undefined. */
export function withoutNulls<Row extends object | undefined>(row: Row): WithoutNulls<Row> {
  const known: Record<string, unknown> | undefined = row && { ...row };
  for (const key in known) known[key] ??= undefined;
  return known as WithoutNulls<Row>;
}

/** The columns of a row: undefined would leave a column unchanged. */
export function withNulls<Value extends object>(value: Value): WithNulls<Value> {
  const row = { ...(value as Record<string, unknown>) };
  for (const key in row) row[key] ??= null;
  return row as WithNulls<Value>;
}
