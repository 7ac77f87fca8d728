type WithoutNulls<Row> = Row extends object
  ? { [Key in keyof Row]: null extends Row[Key] ? Exclude<Row[Key], null> | undefined : Row[Key] }
  : Row;
type WithNulls<Value> = {
  [Key in keyof Value]: undefined extends Value[Key] ? Exclude<Value[Key], undefined> | null : Value[Key];
};

/** A row as the modules know it: a column without a value is undefined. */
export function withoutNulls<Row extends object | undefined>(row: Row): WithoutNulls<Row> {
  const entries = row && Object.entries(row).map(([key, value]) => [key, value ?? undefined]);
  return (entries && Object.fromEntries(entries)) as WithoutNulls<Row>;
}

/** The columns of a row: undefined would leave a column unchanged. */
export function withNulls<Value extends object>(value: Value): WithNulls<Value> {
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, each ?? null])) as WithNulls<Value>;
}
