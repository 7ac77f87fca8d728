import { createReadStream, existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { utf16Of } from "../../../../shared/decode_text.ts";
import {
  type ImportProgress,
  type ImportQueue,
  type ImportRequest,
  LONGEST_LINE,
  UnreadableFile,
} from "../../../datasets/dataset_ports.ts";

/** The directory of import requests, below the data directory. */
export const IMPORTS = "imports";
/** Chunk size in bytes: a few thousand lines. */
const PIECE = 128 * 1024;
const [LINE_FEED, RETURN] = [10, 13];
const REQUEST = /^[0-9a-f]{32}\.json$/;

export const requestPath = (directory: string, id: string) => join(directory, `${id}.json`);
export const progressPath = (directory: string, id: string) => join(directory, `${id}.progress.json`);

/** Writes atomically: readers see the old content or the new one, never a part. */
export async function writeWhole(path: string, value: unknown): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}`;
  await writeFile(draft, `${JSON.stringify(value)}\n`, { mode: 0o600 });
  await rename(draft, path);
}

function unreadable(file: string, error: unknown): UnreadableFile {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
  return new UnreadableFile(`Cannot read "${file}": ${code}`);
}

async function isGzip(file: string): Promise<boolean> {
  for await (const chunk of createReadStream(file, { end: 1 }) as AsyncIterable<Buffer>)
    return chunk[0] === 0x1f && chunk[1] === 0x8b;
  return false;
}

/** The bytes of a file, unpacked if compressed. */
async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  const source = createReadStream(file, { highWaterMark: PIECE });
  try {
    if (!(await isGzip(file))) return yield* source;
    const bytes = createGunzip({ chunkSize: PIECE });
    // Readers see the failure as well, as it ends the stream.
    pipeline(source, bytes).catch(() => {});
    yield* bytes;
  } finally {
    source.destroy();
  }
}

/** UTF-16 with a byte order mark becomes UTF-8; any other encoding stays as it is. */
async function* utf8Of(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: TextDecoder | undefined;
  let isFirst = true;
  for await (const bytes of chunks) {
    const utf16 = isFirst ? utf16Of(bytes) : undefined;
    if (utf16) decoder = new TextDecoder(utf16);
    isFirst = false;
    yield decoder ? Buffer.from(decoder.decode(bytes, { stream: true })) : bytes;
  }
  if (decoder) yield Buffer.from(decoder.decode());
}

/** Carriage returns alone, as old programs for the Mac write them, become line feeds; both together stay. */
async function* withLineFeeds(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let endsWithReturn = false;
  for await (const chunk of chunks) {
    const bytes: Uint8Array = endsWithReturn ? Buffer.concat([Buffer.of(RETURN), chunk]) : chunk;
    endsWithReturn = bytes.at(-1) === RETURN;
    const last = endsWithReturn ? bytes.length - 1 : bytes.length;
    for (let at = bytes.indexOf(RETURN); at >= 0 && at < last; at = bytes.indexOf(RETURN, at + 1))
      if (bytes[at + 1] !== LINE_FEED) bytes[at] = LINE_FEED;
    yield bytes.subarray(0, last);
  }
  if (endsWithReturn) yield Buffer.of(LINE_FEED);
}

/** The content of a file, unpacked, with line feeds; in UTF-8 where its encoding is known. */
export const textOf = (file: string): AsyncGenerator<Uint8Array> => withLineFeeds(utf8Of(bytesOf(file)));

/** Chunks of complete lines. */
async function* linesOf(file: string): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array();
  for await (const bytes of textOf(file)) {
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) yield Buffer.concat([rest, bytes.subarray(0, end)]);
    // Lines above the limit are not buffered.
    rest = Buffer.concat(end > 0 ? [bytes.subarray(end)] : [rest, bytes]).subarray(0, LONGEST_LINE + 1);
  }
  if (rest.length > 0) yield rest;
}

/** The lines of an unchanged file. Errors that the importer throws between them are not caught here. */
async function* unchangedLines({ file, size, modifiedAt }: ImportRequest): AsyncGenerator<Uint8Array> {
  try {
    const now = await stat(file);
    if (now.size !== size || now.mtimeMs !== modifiedAt)
      throw new UnreadableFile(`"${file}" has changed since its import was asked for: ask again`);
    yield* linesOf(file);
  } catch (error) {
    throw error instanceof UnreadableFile ? error : unreadable(file, error);
  }
}

/** Import requests that the command line writes into a directory, with their files. */
export function importFiles(directory: string): ImportQueue {
  return {
    async list() {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const names = (await readdir(directory)).filter((name) => REQUEST.test(name)).toSorted();
      return Promise.all(
        names.map(async (name) => JSON.parse(await readFile(join(directory, name), "utf8")) as ImportRequest),
      );
    },
    async *pieces(request) {
      for await (const lines of unchangedLines(request)) {
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
