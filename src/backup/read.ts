import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { Mac } from "../shared/secrets.ts";
import { decryptFile, isEncrypted } from "./encryption.ts";
import {
  type BackupReport,
  FORMAT,
  type Footer,
  type Header,
  type OnProgress,
  refused,
  SEAL_BYTES,
  secondsSince,
  secretCheck,
  summer,
  type TableStart,
  type TableSum,
} from "./format.ts";

const BATCH = 1000;

export type Reader = {
  header(header: Header): Promise<void> | void;
  /** Called without rows at the beginning of a table. */
  rows(table: TableStart, rows: string[]): Promise<void> | void;
};

async function bytesBeforeSeal(file: string): Promise<number> {
  const { size } = await stat(file).catch((cause) => {
    throw refused(`Cannot read the backup "${file}": there is no such file, or it may not be read`, cause);
  });
  return size - SEAL_BYTES;
}

/**
 * Calls `read` with a backup in clear: with the file itself, or with a decrypted copy in `directory` that is removed afterwards.
 * `identity`: the file with the private key, for a backup that is encrypted.
 */
export async function inClear<Result>(
  file: string,
  { identity, directory }: { identity: string | undefined; directory: string },
  read: (plain: string) => Promise<Result>,
): Promise<Result> {
  await bytesBeforeSeal(file);
  if (!(await isEncrypted(file))) return read(file);
  if (identity === undefined)
    throw refused(`Cannot read the backup "${file}": it is encrypted; name the file with the private key (--identity)`);
  const plain = join(directory, `.${basename(file)}.partial-${process.pid}`);
  try {
    await rm(plain, { force: true });
    await decryptFile(file, plain, identity);
    return await read(plain);
  } finally {
    await rm(plain, { force: true });
  }
}

/** Verifies the checksum; throws on any difference. */
async function checkSeal(file: string, length: number): Promise<void> {
  const damaged = () => refused(`Cannot use the backup "${file}": it is damaged or cut short; take another one`);
  if (length <= 0) throw damaged();
  const hash = createHash("sha256");
  for await (const bytes of createReadStream(file, { end: length - 1 })) hash.update(bytes);
  const seal = await Bun.file(file).slice(length).bytes();
  if (!hash.digest().equals(seal)) throw damaged();
}

async function* linesIn(file: string, length: number): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const compressed = createReadStream(file, { end: length - 1 });
  const plain = compressed.pipe(createGunzip());
  compressed.on("error", (error) => plain.destroy(error));
  let rest = "";
  for await (const bytes of Readable.from(plain)) {
    const lines = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") throw refused(`Cannot use the backup "${file}": its last line is cut short`);
}

function headerOf(file: string, line: string | undefined): Header {
  const header = (line === undefined ? {} : JSON.parse(line)) as Partial<Header>;
  if (header.breachbell !== "backup") throw refused(`Cannot use "${file}": it is no backup of Breachbell`);
  if (header.format !== FORMAT)
    throw refused(`Cannot use the backup "${file}": a later release wrote it; use that release, or a later one`);
  return header as Header;
}

/** Reads a backup with a verified checksum, and compares each table with its footer. */
async function readThrough(file: string, length: number, reader: Reader): Promise<TableSum[]> {
  const lines = linesIn(file, length);
  const header = headerOf(file, (await lines.next()).value);
  await reader.header(header);
  const found: TableSum[] = [];
  let table: TableStart | undefined;
  let sum = summer();
  let batch: string[] = [];
  async function hand(): Promise<void> {
    if (table && batch.length > 0) await reader.rows(table, batch);
    batch = [];
  }
  async function finish(): Promise<void> {
    await hand();
    if (table) found.push({ name: table.table, ...sum.total() });
  }
  for await (const line of lines) {
    if (line.startsWith("[")) {
      sum.add(line);
      if (batch.push(line) === BATCH) await hand();
      continue;
    }
    await finish();
    const mark = JSON.parse(line) as TableStart | Footer;
    if ("end" in mark) {
      if (JSON.stringify(mark.end) !== JSON.stringify(found))
        throw refused(`Cannot use the backup "${file}": its rows are not those that were written`);
      return found;
    }
    table = mark;
    sum = summer();
    await reader.rows(table, []);
  }
  throw refused(`Cannot use the backup "${file}": it has no end`);
}

type Verifying = { mac?: Mac; onProgress?: OnProgress | undefined };

/** Reads all of it; with `mac` also checks that it was made with this installation's secret. Throws when it is unusable. */
export async function verifyBackup(
  file: string,
  { mac, onProgress }: Verifying,
): Promise<BackupReport & { header: Header; sums: TableSum[] }> {
  const started = performance.now();
  const length = await bytesBeforeSeal(file);
  await checkSeal(file, length);
  let header: Header | undefined;
  let rows = 0;
  const sums = await readThrough(file, length, {
    header(found) {
      header = found;
      if (mac && secretCheck(mac, found.check.value).mac !== found.check.mac)
        throw refused(
          `Cannot use the backup "${file}": it was made with another APP_SECRET (without one: another "secret.key" in the data directory)`,
        );
    },
    rows(table, batch) {
      rows += batch.length;
      onProgress?.({ table: table.table, rows });
    },
  });
  if (!header) throw refused(`Cannot use the backup "${file}": it is empty`);
  return {
    file,
    bytes: length + SEAL_BYTES,
    rows,
    tables: sums.map(({ name, rows: count }) => ({ name, rows: count })),
    madeAt: header.madeAt,
    product: header.product,
    schema: header.migrations.length - 1,
    seconds: secondsSince(started),
    header,
    sums,
  };
}

/** Reads the rows of a backup that `verifyBackup` has accepted. */
export async function readRows(file: string, rows: Reader["rows"]): Promise<void> {
  await readThrough(file, await bytesBeforeSeal(file), { header: () => {}, rows });
}
