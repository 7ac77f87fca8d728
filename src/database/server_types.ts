type Options = {
  parsers: Record<number, (text: string) => unknown>;
  serializers: Record<number, (value: unknown) => unknown>;
};

const JSON_TYPES = [114, 3802];
const DATE_TYPES = [1082, 1114, 1184];
/** The array types that PGlite parses into arrays, with the parsers of their elements. */
const ARRAY_TYPES: Record<number, (text: string) => unknown> = {
  1000: (text) => text === "t", // boolean[]
  1005: Number, // smallint[]
  1007: Number, // integer[]
  1009: String, // text[]
  1015: String, // varchar[]
  1016: parseBigint, // bigint[]
  1022: Number, // double precision[]
  2951: String, // uuid[]
  3807: (text) => JSON.parse(text), // jsonb[]
};

function parseBigint(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

/** Parses a one-dimensional array literal, such as {a,"b,c",NULL}. */
function parseArray(literal: string, parse: (text: string) => unknown): unknown[] {
  const elements = literal.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/g);
  return Array.from(elements, ([, quoted, bare]) => {
    if (bare === "NULL") return null;
    return parse(bare ?? quoted?.replaceAll(/\\(.)/g, "$1") ?? "");
  });
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function serializeArray(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const elements = value.map((element) =>
    element === null ? "NULL" : `"${textOf(element).replaceAll(/[\\"]/g, "\\$&")}"`,
  );
  return `{${elements.join(",")}}`;
}

/**
 * Maps types as PGlite does, so that one repository works on both: postgres.js returns bigint (any `count(*)`) as text, and with
 * Drizzle it accepts no Date, object or array in raw SQL.
 */
export function matchPgliteTypes({ parsers, serializers }: Options): void {
  const asText = (value: unknown) => (typeof value === "string" ? value : textOf(value));
  parsers[20] = parseBigint;
  serializers[16] = asText;
  for (const type of DATE_TYPES) parsers[type] = (text) => text;
  for (const type of DATE_TYPES) serializers[type] = asText;
  // Drizzle passes JSON as text already.
  for (const type of JSON_TYPES)
    serializers[type] = (value) => (typeof value === "string" ? value : JSON.stringify(value));
  for (const [type, parse] of Object.entries(ARRAY_TYPES)) {
    parsers[Number(type)] = (literal) => parseArray(literal, parse);
    serializers[Number(type)] = serializeArray;
  }
}
