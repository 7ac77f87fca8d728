import type { BreachDeps, ImportProgress, ImportQueue, ImportRequest } from "../ports.ts";
import { watchedHashes } from "../scanning/watched_hashes.ts";
import { type DatasetLine, datasetReader } from "./dataset_lines.ts";
import { type HashKind, LONGEST_LINE } from "./dataset_ports.ts";
import { hashBlocks, readHex } from "./hash_blocks.ts";

/** A batch to store: all hashes, those that may be of tracked addresses, addresses at watched domains, and the progress after it. */
export type Run = {
  all: ReturnType<typeof hashBlocks>;
  candidates: { hash: string; breach: string }[];
  atDomains: { domain: string; alias: string; breach: string }[];
  progress: ImportProgress;
};
type Deps = Pick<BreachDeps, "transaction" | "hash" | "domainFinds">;

const TOO_LONG = { kind: "bad", reason: "it is too long" } as const;
const NOT_UTF_8 = {
  kind: "bad",
  reason:
    "it is not UTF-8 text; if the file is in Latin-1 or Windows-1252, convert it with: iconv -f WINDOWS-1252 -t UTF-8",
} as const;
const MOST_PROBLEMS = 100;
/** The batch size, doubled each time up to the maximum. */
const LINES = { first: 1000, most: 256_000 };
/** Interval of progress reports while skipping lines that were imported before. */
const SKIPPED = 500_000;
/** Tracked hashes per query. */
const PAGE = 10_000;
const [LINE_FEED, RETURN] = [10, 13];

/** The end of the batch that contains this line; depends on the number only, so that a file is always split in the same way. */
export function endAfter(lines: number): number {
  let [end, step] = [0, LINES.first];
  while (end <= lines) {
    if (step >= LINES.most) return end + (1 + Math.floor((lines - end) / LINES.most)) * LINES.most;
    end += step;
    step *= 2;
  }
  return end;
}

/**
 * Loads the hashes of tracked addresses into memory, so that few lines need a query. Addresses added later are found by their
 * checks, which are repeated while a file is being imported.
 */
async function watchedBy(kind: HashKind, transaction: Deps["transaction"]): Promise<ReturnType<typeof watchedHashes>> {
  const hashes = watchedHashes();
  let after: string | undefined = "";
  while (after !== undefined) {
    const from: string = after;
    const { prefixes, last } = await transaction(({ watches }) => watches.listHashes(kind, from, PAGE));
    hashes.add(prefixes);
    after = last;
  }
  return hashes;
}

/** Counts an invalid line, or stops the import there. */
function noteBad(progress: ImportProgress, reason: string, skipBad: boolean): void {
  const problem = { line: progress.lines + 1, reason };
  if (!skipBad) {
    progress.state = "stopped";
    progress.reason = `Line ${problem.line}: ${reason}`;
    return;
  }
  progress.bad += 1;
  if (progress.problems.length < MOST_PROBLEMS) progress.problems.push(problem);
}

/** The index after the line that begins at `from`. */
function endOfLine(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(LINE_FEED, from);
  return end < 0 ? bytes.length : end;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The text of a line, or why it cannot be read. */
function textOf(bytes: Uint8Array, from: number, end: number): string | Extract<DatasetLine, { kind: "bad" }> {
  if (end - from > LONGEST_LINE) return TOO_LONG;
  try {
    return decoder.decode(bytes.subarray(from, bytes[end - 1] === RETURN ? end - 1 : end));
  } catch {
    return NOT_UTF_8;
  }
}

/** The end of a line that is a bare hex hash, which is decoded into `into`; otherwise -1. */
function endOfHash(bytes: Uint8Array, from: number, into: Uint8Array): number {
  const end = from + 2 * into.length;
  const isEnd = bytes[end] === LINE_FEED || (bytes[end] === RETURN && bytes[end + 1] === LINE_FEED);
  if (!isEnd || !readHex(bytes, from, into)) return -1;
  return bytes[end] === RETURN ? end + 1 : end;
}

async function firstLine(imports: ImportQueue, request: ImportRequest): Promise<string> {
  for await (const bytes of imports.pieces(request))
    for (let at = 0; at < bytes.length; at = endOfLine(bytes, at) + 1) {
      const text = textOf(bytes, at, endOfLine(bytes, at));
      if (typeof text === "string" && text.trim() !== "") return text;
    }
  return "";
}

/** The rest of a file after this many lines. Yields undefined from time to time while skipping, to show progress. */
async function* restBehind(lines: number, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | undefined> {
  let [skipped, shown] = [0, 0];
  for await (const bytes of pieces) {
    let at = 0;
    for (; at < bytes.length && skipped < lines; skipped++) at = endOfLine(bytes, at) + 1;
    if (skipped >= shown + SKIPPED && skipped < lines) {
      yield undefined;
      shown = skipped;
    }
    if (at < bytes.length) yield bytes.subarray(at);
  }
}

/** A parsed line and where it ends. The bytes of `hash` are reused for the next line. */
type ScannedLine = { end: number; hash?: Uint8Array; address?: string | undefined; breach: string; problem?: string };

/** Returns a parser for the line that begins at `from`: directly from its bytes if it is a bare hash, otherwise as text. */
function lineScanner({ takesHashes, read }: ReturnType<typeof datasetReader>, breach: string) {
  const [sha1, sha256] = [new Uint8Array(20), new Uint8Array(32)];

  function scanText(bytes: Uint8Array, from: number): ScannedLine {
    const end = endOfLine(bytes, from);
    const text = textOf(bytes, from, end);
    const line = typeof text === "string" ? read(text) : text;
    if (line.kind === "bad") return { end, breach, problem: line.reason };
    return line.kind === "finding"
      ? { end, hash: Uint8Array.fromHex(line.hash), address: line.address, breach: line.breach }
      : { end, breach };
  }

  return function scan(bytes: Uint8Array, from: number): ScannedLine {
    if (!takesHashes) return scanText(bytes, from);
    const endOfSha1 = endOfHash(bytes, from, sha1);
    if (endOfSha1 >= 0) return { end: endOfSha1, hash: sha1, breach };
    const endOfSha256 = endOfHash(bytes, from, sha256);
    return endOfSha256 >= 0 ? { end: endOfSha256, hash: sha256, breach } : scanText(bytes, from);
  };
}

const beginRun = (progress: ImportProgress): Run => ({
  all: hashBlocks(),
  candidates: [],
  atDomains: [],
  progress: { ...progress, problems: [...progress.problems] },
});

const NONE: ReadonlySet<string> = new Set();

/** Adds an address at one of these domains to the batch. */
function noteAtDomain(run: Run, { address = "", breach }: ScannedLine, domains: ReadonlySet<string>): void {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  if (domains.has(domain)) run.atDomains.push({ domain, alias: address.slice(0, at), breach });
}

/** Reads a file from its stored progress to the end or the first invalid line. */
export async function* runsOf(
  { transaction, hash, domainFinds }: Deps,
  { imports, request, from }: { imports: ImportQueue; request: ImportRequest; from: ImportProgress },
): AsyncGenerator<Run> {
  const reader = datasetReader(await firstLine(imports, request), { breach: request.breach, hash });
  const scan = lineScanner(reader, request.breach ?? "");
  const tables = new Map<HashKind, ReturnType<typeof watchedHashes>>();
  let run = beginRun(from);
  let runEnd = endAfter(from.lines);
  for await (const bytes of restBehind(from.lines, imports.pieces(request))) {
    if (bytes === undefined) {
      yield beginRun(from);
      continue;
    }
    let domains: ReadonlySet<string> | undefined;
    for (let at = 0; at < bytes.length; ) {
      const { progress } = run;
      const line = scan(bytes, at);
      if (line.problem !== undefined) noteBad(progress, line.problem, request.skipBad);
      if (progress.state !== "running") return yield run;
      at = line.end + 1;
      progress.lines += 1;
      if (line.hash) {
        const kind = line.hash.length === 32 ? "sha256" : "sha1";
        const table = tables.get(kind) ?? (await watchedBy(kind, transaction));
        tables.set(kind, table);
        run.all.add(line.hash, line.breach);
        if (table.has(line.hash)) run.candidates.push({ hash: line.hash.toHex(), breach: line.breach });
      }
      if (line.address !== undefined) {
        domains ??= (await domainFinds?.watched()) ?? NONE;
        noteAtDomain(run, line, domains);
      }
      if (progress.lines < runEnd) continue;
      yield run;
      run = beginRun(progress);
      runEnd = endAfter(progress.lines);
    }
  }
  yield { ...run, progress: { ...run.progress, state: "done" } };
}
