import type { BreachDeps, ImportDesk, ImportProgress, ImportRequest } from "../ports.ts";
import { hashTable } from "../scanning/watched_hashes.ts";
import { type DatasetLine, datasetReader } from "./dataset_lines.ts";
import { type HashKind, LONGEST_LINE } from "./dataset_ports.ts";
import { hashBlocks, readHex } from "./hash_blocks.ts";

/** What is stored together: all hashes, those that may be of somebody who is watched, and how far the file is read then. */
export type Run = {
  all: ReturnType<typeof hashBlocks>;
  candidates: { hash: string; breach: string }[];
  progress: ImportProgress;
};
type Deps = Pick<BreachDeps, "transaction" | "hash">;

const TOO_LONG: DatasetLine = { kind: "bad", reason: "it is too long" };
const MOST_PROBLEMS = 100;
/** So many lines are stored together at first, and twice as many each time up to so many. */
const LINES = { first: 1000, most: 256_000 };
/** A sign of life on the way to where a former reader was. */
const SKIPPED = 500_000;
/** So many of the watched are read by one statement. */
const PAGE = 10_000;
const [LINE_FEED, RETURN] = [10, 13];

/** Where a run ends, behind so many lines: by their number alone, so that a file is cut in the same way each time. */
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
 * Who is watched, in memory: very few of very many lines have to be asked for in the database then. Whoever is added later
 * is found by a check, which comes again as long as a file is read.
 */
async function watchedBy(kind: HashKind, transaction: Deps["transaction"]): Promise<ReturnType<typeof hashTable>> {
  const table = hashTable();
  let after: string | undefined = "";
  while (after !== undefined) {
    const from: string = after;
    const { prefixes, last } = await transaction(({ watches }) => watches.listHashes(kind, from, PAGE));
    table.add(prefixes);
    after = last;
  }
  return table;
}

/** Counts a line that cannot be used, or stops there. */
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

/** Behind the line that begins at `from`. */
function endOfLine(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(LINE_FEED, from);
  return end < 0 ? bytes.length : end;
}

const decoder = new TextDecoder();

function textOf(bytes: Uint8Array, from: number, end: number): string | undefined {
  if (end - from > LONGEST_LINE) return undefined;
  return decoder.decode(bytes.subarray(from, bytes[end - 1] === RETURN ? end - 1 : end));
}

/** The end of a line that is nothing but a hash in hex, which is then in `into`; or -1. */
function endOfHash(bytes: Uint8Array, from: number, into: Uint8Array): number {
  const end = from + 2 * into.length;
  const isEnd = bytes[end] === LINE_FEED || (bytes[end] === RETURN && bytes[end + 1] === LINE_FEED);
  if (!isEnd || !readHex(bytes, from, into)) return -1;
  return bytes[end] === RETURN ? end + 1 : end;
}

async function firstLine(desk: ImportDesk, request: ImportRequest): Promise<string> {
  for await (const bytes of desk.pieces(request))
    for (let at = 0; at < bytes.length; at = endOfLine(bytes, at) + 1) {
      const text = textOf(bytes, at, endOfLine(bytes, at));
      if (text?.trim()) return text;
    }
  return "";
}

/** Reads a file from where it was, to its end or to the first bad line. */
export async function* runsOf(
  { transaction, hash }: Deps,
  { desk, request, from }: { desk: ImportDesk; request: ImportRequest; from: ImportProgress },
): AsyncGenerator<Run> {
  const { takesHashes, read } = datasetReader(await firstLine(desk, request), { breach: request.breach, hash });
  const tables = new Map<HashKind, ReturnType<typeof hashTable>>();
  const [sha1, sha256] = [new Uint8Array(20), new Uint8Array(32)];
  const begin = (progress: ImportProgress): Run => ({
    ...{ all: hashBlocks(), candidates: [] },
    progress: { ...progress, problems: [...progress.problems] },
  });
  let run = begin(from);
  let runEnd = endAfter(from.lines);
  let [skipped, shown] = [0, 0];
  for await (const bytes of desk.pieces(request)) {
    let at = 0;
    for (; at < bytes.length && skipped < from.lines; skipped++) at = endOfLine(bytes, at) + 1;
    if (skipped >= shown + SKIPPED && skipped < from.lines) {
      yield begin(from);
      shown = skipped;
    }
    while (at < bytes.length) {
      const { progress } = run;
      let [hashed, breach]: [Uint8Array | undefined, string] = [sha1, request.breach ?? ""];
      let end = takesHashes ? endOfHash(bytes, at, sha1) : -1;
      if (end < 0 && takesHashes) {
        hashed = sha256;
        end = endOfHash(bytes, at, sha256);
      }
      if (end < 0) {
        end = endOfLine(bytes, at);
        const text = textOf(bytes, at, end);
        const line = text === undefined ? TOO_LONG : read(text);
        if (line.kind === "bad") noteBad(progress, line.reason, request.skipBad);
        if (progress.state !== "running") return yield run;
        hashed = line.kind === "finding" ? Uint8Array.fromHex(line.hash) : undefined;
        if (line.kind === "finding") breach = line.breach;
      }
      at = end + 1;
      progress.lines += 1;
      if (hashed) {
        const kind = hashed.length === 32 ? "sha256" : "sha1";
        const table = tables.get(kind) ?? (await watchedBy(kind, transaction));
        tables.set(kind, table);
        run.all.add(hashed, breach);
        if (table.has(hashed)) run.candidates.push({ hash: hashed.toHex(), breach });
      }
      if (progress.lines < runEnd) continue;
      yield run;
      run = begin(progress);
      runEnd = endAfter(progress.lines);
    }
  }
  yield { ...run, progress: { ...run.progress, state: "done" } };
}
