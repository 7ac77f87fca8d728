import { normaliseEmail } from "../../shared/email_address.ts";

/** A parsed line of an operator's file. */
export type DatasetLine =
  | {
      kind: "finding";
      hash: string;
      breach: string;
      /** Normalised; absent where the line has only a hash. */
      address?: string;
    }
  | { kind: "bad"; reason: string }
  /** A blank line, or the column names. */
  | { kind: "nothing" };

type Cells = { who: unknown; breach: unknown };
type Reader = (text: string) => Cells | { reason: string };

const WHO = ["email", "e-mail", "email address", "address", "mail", "sha1", "sha-1", "sha256", "sha-256", "hash"];
const BREACH = ["breach", "breach name", "breachname", "source"];
const LONGEST_BREACH = 100;
const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

const isName = (breach: string) => breach.length <= LONGEST_BREACH && !/\p{Cc}/u.test(breach) && breach.isWellFormed();

/** Parses a line of CSV; undefined for an unterminated quote. Line breaks within cells are not supported. */
export function cellsOf(text: string, delimiter: string): string[] | undefined {
  const cells: string[] = [];
  let rest = text;
  for (;;) {
    const start = rest.trimStart();
    if (start.startsWith('"')) {
      const quoted = /^"((?:[^"]|"")*)"\s*/.exec(start);
      if (quoted === null) return undefined;
      cells.push((quoted[1] ?? "").replaceAll('""', '"'));
      rest = start.slice(quoted[0].length);
      if (rest !== "" && !rest.startsWith(delimiter)) return undefined;
    } else {
      const end = rest.indexOf(delimiter);
      cells.push((end < 0 ? rest : rest.slice(0, end)).trim());
      rest = end < 0 ? "" : rest.slice(end);
    }
    if (rest === "") return cells;
    rest = rest.slice(delimiter.length);
  }
}

const columnOf = (names: string[], wanted: string[]) => names.findIndex((name) => wanted.includes(name));

function csvReader(first: string): { read: Reader; who: number; isHeader: (text: string) => boolean } {
  const delimiter = [",", ";", "\t"].find((candidate) => first.includes(candidate)) ?? ",";
  const names = (cellsOf(first, delimiter) ?? []).map((name) => name.toLowerCase());
  const hasHeader = columnOf(names, WHO) >= 0;
  const who = hasHeader ? columnOf(names, WHO) : 0;
  const breach = hasHeader ? columnOf(names, BREACH) : 1;
  return {
    who,
    isHeader: (text) => hasHeader && text === first,
    read(text) {
      const cells = cellsOf(text, delimiter);
      return cells ? { who: cells[who], breach: cells[breach] } : { reason: "a quoted cell has no end" };
    },
  };
}

/** Extracts address and breach only: anything else in a line, such as passwords, is dropped here. */
function readJson(text: string): Cells | { reason: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { reason: "it is not JSON" };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { reason: "it is no JSON object" };
  const fields = new Map(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field as unknown]));
  const pick = (wanted: string[]) => wanted.map((name) => fields.get(name)).find((field) => field !== undefined);
  return { who: pick(WHO), breach: pick(BREACH) };
}

type Who = { hash: string; address?: string };

function whoIn(typed: string, hash: (text: string) => string): Who | undefined {
  const lower = typed.trim().toLowerCase();
  if (HASH.test(lower)) return { hash: lower };
  const address = normaliseEmail(typed);
  return address === undefined ? undefined : { hash: hash(address), address };
}

/**
 * Returns a reader for the format of `first`, the first line: CSV with or without column names, or NDJSON. `breach` applies to
 * lines that name none; `hash` is SHA-256 in hex. Errors never quote the line. With `takesHashes`, a line that is a bare
 * lower-case hash, as in large files, is a finding of that breach.
 */
export function datasetReader(
  first: string,
  { breach, hash }: { breach: string | undefined; hash: (text: string) => string },
): { takesHashes: boolean; read: (text: string) => DatasetLine } {
  const isJson = first.trimStart().startsWith("{");
  const csv = csvReader(first);
  const takesHashes = !isJson && csv.who === 0 && breach !== undefined && isName(breach);
  function read(text: string): DatasetLine {
    if (text.trim() === "" || (!isJson && csv.isHeader(text))) return { kind: "nothing" };
    const cells = isJson ? readJson(text) : csv.read(text);
    if ("reason" in cells) return { kind: "bad", reason: cells.reason };
    if (typeof cells.who !== "string" || cells.who.trim() === "") return { kind: "bad", reason: "it names no address" };
    const who = whoIn(cells.who, hash);
    if (who === undefined) return { kind: "bad", reason: "neither an email address nor a SHA-1 or SHA-256 hash" };
    const own = typeof cells.breach === "string" ? cells.breach.trim() : "";
    const name = own === "" ? breach : own;
    if (name === undefined) return { kind: "bad", reason: "it names no breach" };
    if (!isName(name)) return { kind: "bad", reason: "no name of a breach" };
    return { kind: "finding", ...who, breach: name };
  }
  return { takesHashes, read };
}
