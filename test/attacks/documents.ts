// Request bodies generated from the API's own document: valid ones, and ones that are invalid in every conceivable way.

export type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  minItems?: number;
};
type Content = { content?: Record<string, { schema?: Schema }> };
type Parameter = { name: string; in: "path" | "query"; schema?: Schema };
type Described = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
};
export type Operation = {
  id: string;
  method: string;
  path: string;
  parameters: Parameter[];
  body: Schema | undefined;
  answers: Record<string, Schema | undefined>;
};

export function operationsIn(document: { paths: Record<string, Record<string, Described>> }): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId: id, parameters = [], requestBody, responses }]) => ({
      id,
      method: method.toUpperCase(),
      path,
      parameters,
      body: requestBody?.content?.["application/json"]?.schema,
      answers: Object.fromEntries(
        Object.entries(responses).map(([status, { content }]) => [status, content?.["application/json"]?.schema]),
      ),
    })),
  );
}

export type Random = { below(end: number): number; of<T>(list: readonly T[]): T; chance(share: number): boolean };

/** Mulberry32: the same numbers for the same seed. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return { below, of: (list) => list[below(list.length)] as (typeof list)[number], chance: (share) => next() < share };
}

const NOBODY = "00000000-0000-4000-8000-000000000000";
const BY_NAME: Record<string, unknown> = {
  email: "fuzz@example.org",
  address: "fuzz@example.org",
  code: "123456",
  language: "en",
  terms: true,
  password: "Tranquil-Harbour-43",
  confirmPassword: "Tranquil-Harbour-43",
  firstName: "Alice",
  lastName: "Meyer",
};

/** A value that is valid according to the schema. */
export function valid(schema: Schema | undefined, random: Random, name = ""): unknown {
  if (!schema) return {};
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.of(schema.enum);
  if (schema.anyOf) return valid(random.of(schema.anyOf), random, name);
  const type = Array.isArray(schema.type) ? random.of(schema.type) : schema.type;
  if (type === "object") {
    const entries = Object.entries(schema.properties ?? {});
    const chosen = entries.filter(([key]) => schema.required?.includes(key) || random.chance(0.6));
    return Object.fromEntries(chosen.map(([key, part]) => [key, valid(part, random, key)]));
  }
  if (type === "array")
    return Array.from({ length: Math.max(schema.minItems ?? 0, 1) }, () => valid(schema.items, random, name));
  if (type === "boolean") return BY_NAME[name] ?? random.chance(0.5);
  if (type === "integer" || type === "number") return schema.minimum ?? 1;
  if (type === "null") return null;
  if (BY_NAME[name] !== undefined) return BY_NAME[name];
  if (schema.format === "uuid") return NOBODY;
  if (schema.pattern?.includes("\\d")) return "1";
  return "text".padEnd(Math.min(schema.minLength ?? 0, 100), "x");
}

/** Texts that code behind the form could stumble over. */
const TEXTS: string[] = [
  ...[
    "",
    " ",
    "\u0000",
    "a\u0000b",
    "\ud800",
    "a\udfff",
    "\u202egnp.exe",
    "\ufeff",
    "😀".repeat(50),
    "é".repeat(129),
    "ﷺ".repeat(90),
  ],
  ...[
    "'",
    "';select pg_sleep(9)--",
    '"><script>alert(1)</script>',
    "#{7*7}",
    "{{7*7}}",
    "%s%n",
    "../../../etc/passwd",
    "\r\nBcc: x@example.org",
  ],
  ...[
    "__proto__",
    "constructor",
    "toString",
    "null",
    "undefined",
    "NaN",
    "true",
    "-1",
    "1e309",
    "9".repeat(400),
    "0x7fffffff",
  ],
  ...[
    `${"a".repeat(64)}@${"b".repeat(63)}.example`,
    "a@b",
    "a@b@c.example",
    "a@[127.0.0.1]",
    "ａ@ｅｘａｍｐｌｅ.ｏｒｇ",
    `"a b"@example.org`,
  ],
  ...[NOBODY, NOBODY.toUpperCase(), `${NOBODY}0`, "x".repeat(1001), "x".repeat(20_000)],
];
const OTHERS: unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -0,
    -1,
    0.5,
    1e308,
    -1e308,
    2 ** 31,
    2 ** 53,
    2 ** 63,
    [],
    {},
    [[]],
    [null],
    [{}],
    { length: 1 },
  ],
  ...[{ toString: 1 }, { toJSON: 1 }, Array(300).fill("x"), Array(2000).fill(0)],
];

const wrongValue = (random: Random): unknown => (random.chance(0.6) ? random.of(TEXTS) : random.of(OTHERS));

/** The value with one invalid part. */
export function hostile(value: unknown, random: Random): unknown {
  if (random.chance(0.25)) return wrongValue(random);
  if (Array.isArray(value)) {
    if (value.length === 0 || random.chance(0.3)) return [...value, wrongValue(random)];
    return value.map((one, at) => (at === 0 ? hostile(one, random) : one));
  }
  if (typeof value !== "object" || value === null) return wrongValue(random);
  const entries = Object.entries(value);
  const turn = random.below(5);
  if (turn === 0 && entries.length > 0) return Object.fromEntries(entries.toSpliced(random.below(entries.length), 1));
  if (turn === 1)
    return withKey(
      value,
      random.of(["__proto__", "constructor", "isAdmin", "", "\u0000", "x".repeat(5000)]),
      wrongValue(random),
    );
  const chosen = random.below(Math.max(1, entries.length));
  return Object.fromEntries(entries.map(([key, part], at) => [key, at === chosen ? hostile(part, random) : part]));
}

/** Also for keys that objects inherit: set as a JSON parser would. */
export function withKey(value: object, key: string, more: unknown): object {
  return Object.defineProperty({ ...value }, key, {
    value: more,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** Invalid or unusual JSON. */
const BROKEN: string[] = [
  ...[
    "",
    "{",
    "[1,",
    "nul",
    '{"a":}',
    '{"a":1,}',
    "{'a':1}",
    "\u0000",
    '"text"',
    "1",
    "null",
    "[]",
    "true",
    "\ufeff{}",
    "{}{}",
  ],
  ...["[".repeat(30_000), `${"[".repeat(20_000)}${"]".repeat(20_000)}`, `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`],
  ...[
    '{"email":"a@example.org","email":"b@example.org"}',
    '{"__proto__":{"isAdmin":true}}',
    '{"a":"\\ud800"}',
    '{"a":"\\u0000"}',
    `{"a":${"9".repeat(5000)}}`,
  ],
];

/** The bytes of one body. */
export function bodyOf(schema: Schema | undefined, random: Random): string {
  if (random.chance(0.12)) return random.of(BROKEN);
  const right = valid(schema, random);
  return JSON.stringify(random.chance(0.1) ? right : hostile(right, random)) ?? "";
}

/** A path and query, valid or invalid. */
export function placeOf({ path, parameters }: Operation, random: Random, ids: readonly string[]): string {
  const text = () => String(random.chance(0.5) ? random.of(TEXTS) : random.of(["1", "0", "-1", "en", "all", NOBODY]));
  const encoded = (value: string) => encodeURIComponent(value.toWellFormed().slice(0, 2000));
  const place = path.replaceAll(/\{\w+\}/g, () => {
    if (random.chance(0.5)) return random.of(ids);
    return random.chance(0.3)
      ? random.of(["..%2f..", "%00", "%", "%c0%ae", "%ff", "__proto__", "%5c"])
      : encoded(text()) || "x";
  });
  const asked = parameters.filter((one) => one.in === "query" && random.chance(0.6));
  const values = asked.map(({ name, schema }) => {
    const value = random.chance(0.5) ? String(valid(schema, random, name)) : text();
    return `${name}=${encoded(value)}${random.chance(0.1) ? `&${name}=${encoded(text())}` : ""}`;
  });
  return values.length > 0 ? `${place}?${values.join("&")}` : place;
}
