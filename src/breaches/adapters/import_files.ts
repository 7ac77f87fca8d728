import { createReadStream, existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { type ImportDesk, type ImportProgress, type ImportRequest, UnreadableFile } from "../dataset_ports.ts";

/** Where requests lie, below the data directory. */
export const IMPORTS = "imports";
/** So many lines at first, and more of them as long as dealing with a batch takes less than so long. */
const LINES = { fewest: 1000, most: 32_000 };
const BATCH_MS = 250;
const SKIPPED = 500_000;
const LONGEST_LINE = 64 * 1024;
const REQUEST = /^[0-9a-f]{32}\.json$/;

export const requestPath = (directory: string, id: string) => join(directory, `${id}.json`);
export const progressPath = (directory: string, id: string) => join(directory, `${id}.progress.json`);

/** A reader sees the old state or the new one, never half of it. */
export async function writeWhole(path: string, value: unknown): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}`;
  await writeFile(draft, `${JSON.stringify(value)}\n`, { mode: 0o600 });
  await rename(draft, path);
}

function unreadable(file: string, error: unknown): UnreadableFile {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
  return new UnreadableFile(`Cannot read "${file}": ${code}`);
}

export async function isGzip(file: string): Promise<boolean> {
  for await (const chunk of createReadStream(file, { end: 1 }) as AsyncIterable<Buffer>)
    return chunk[0] === 0x1f && chunk[1] === 0x8b;
  return false;
}

/** The text of a file, plain or gzip. */
async function* textOf(file: string): AsyncGenerator<string> {
  const unpacks = await isGzip(file);
  const bytes = new PassThrough();
  const source = createReadStream(file);
  const copying = unpacks ? pipeline(source, createGunzip(), bytes) : pipeline(source, bytes);
  // Whoever reads sees the failure, too: it ends the stream.
  copying.catch(() => {});
  const decoder = new TextDecoder();
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } finally {
    source.destroy();
  }
}

/** The lines, many at a time; undefined for one that is too long to be kept in memory. */
async function* linesOf(file: string): AsyncGenerator<(string | undefined)[]> {
  let rest = "";
  let isTooLong = false;
  const cut = (line: string) => line.replace(/\r$/, "");
  for await (const text of textOf(file)) {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    const [first, ...others] = parts.map((part) => (part.length > LONGEST_LINE ? undefined : cut(part)));
    if (parts.length > 0) {
      yield [isTooLong ? undefined : first, ...others];
      isTooLong = false;
    }
    if (rest.length > LONGEST_LINE) {
      isTooLong = true;
      rest = "";
    }
  }
  if (isTooLong) yield [undefined];
  else if (rest !== "") yield [cut(rest)];
}

async function checkUnchanged({ file, size, modifiedAt }: ImportRequest): Promise<void> {
  const now = await stat(file);
  if (now.size !== size || now.mtimeMs !== modifiedAt)
    throw new UnreadableFile(`"${file}" has changed since its import was asked for: ask again`);
}

async function* asUnreadable<T>(file: string, items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      // Only reading is caught here: what the importer throws between two lines is its own affair.
      const next = await iterator.next().catch((error: unknown) => {
        throw error instanceof UnreadableFile ? error : unreadable(file, error);
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

async function* batchesOf(request: ImportRequest, from: number): AsyncGenerator<(string | undefined)[]> {
  await checkUnchanged(request);
  let [batch, number]: [(string | undefined)[], number] = [[], 0];
  let size = LINES.fewest;
  for await (const lines of linesOf(request.file))
    for (const line of lines) {
      number += 1;
      if (number <= from) {
        // A sign of life on the way to where the former reader was.
        if (number % SKIPPED === 0) yield [];
        continue;
      }
      batch.push(line);
      if (batch.length < size) continue;
      const began = performance.now();
      yield batch;
      size = performance.now() - began < BATCH_MS ? Math.min(2 * size, LINES.most) : Math.max(size / 2, LINES.fewest);
      batch = [];
    }
  if (batch.length > 0) yield batch;
}

/** Requests that the command line leaves in a folder, and their files. */
export function importFiles(directory: string): ImportDesk {
  return {
    async list() {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const names = (await readdir(directory)).filter((name) => REQUEST.test(name)).toSorted();
      return Promise.all(
        names.map(async (name) => JSON.parse(await readFile(join(directory, name), "utf8")) as ImportRequest),
      );
    },
    async firstLine({ file }) {
      for await (const lines of asUnreadable(file, linesOf(file))) {
        const first = lines.find((line) => line?.trim());
        if (first !== undefined) return first;
      }
      return "";
    },
    async *batches(request, from) {
      for await (const lines of asUnreadable(request.file, batchesOf(request, from))) {
        yield lines;
        if (!existsSync(requestPath(directory, request.id)))
          throw new UnreadableFile(`The import of "${request.file}" was cancelled`);
      }
    },
    async tell({ id }, progress: ImportProgress) {
      await writeWhole(progressPath(directory, id), progress);
      if (progress.state !== "running") await rm(requestPath(directory, id), { force: true });
    },
  };
}
