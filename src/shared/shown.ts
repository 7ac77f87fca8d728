type ShownValue<Value> = Value extends Date ? string : Value extends undefined ? null : Value;

/** Fields as clients see them: instants in ISO 8601, and null for what is missing. */
export type Shown<Fields> = { [Name in keyof Fields]: ShownValue<Fields[Name]> };

export function shown<Fields extends object>(fields: Fields): Shown<Fields> {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : (value ?? null),
  ]);
  return Object.fromEntries(entries) as Shown<Fields>;
}
