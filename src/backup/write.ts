import { createHash } from "node:crypto";
import { mkdirSync, statSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Bulk, Snapshot } from "../database/logical_dump.ts";
import { PRODUCT, VERSION } from "../shared/product.ts";
import type { Mac } from "../shared/secrets.ts";
import { encryptFile } from "./encryption.ts";
import {
  type BackupReport,
  FORMAT,
  type Header,
  type OnProgress,
  secondsSince,
  secretCheck,
  summer,
  type TableSum,
} from "./format.ts";
import { verifyBackup } from "./read.ts";

type Writing = {
  mac: Mac;
  newToken: () => string;
  onProgress?: OnProgress | undefined;
  /** Encrypts the backup to a public key of age. Until then it is in `directory`, which is the data's own. */
  encryption?: { recipient: string; directory: string } | undefined;
};

const PARTIAL = /^\.(.+)\.partial-\d+$/;

/** The temporary name of an unfinished backup; it contains the process id, so that two processes do not share a file. */
function partialOf(file: string): string {
  return join(dirname(file), `.${basename(file)}.partial-${process.pid}`);
}

export const isPartial = (name: string) => PARTIAL.test(name);

/** Flushes the file to disk (fsync). */
async function syncToDisk(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}

async function* linesOf(snapshot: Snapshot, { mac, newToken, onProgress }: Writing): AsyncGenerator<string> {
  const { at, migrations, tables } = snapshot;
  const header: Header = {
    breachbell: "backup",
    format: FORMAT,
    product: `${PRODUCT} ${VERSION}`,
    madeAt: at.toISOString(),
    migrations,
    check: secretCheck(mac, newToken()),
  };
  yield `${JSON.stringify(header)}\n`;
  const end: TableSum[] = [];
  let written = 0;
  for (const { name, columns, batches } of tables) {
    yield `${JSON.stringify({ table: name, columns })}\n`;
    const sum = summer();
    for await (const rows of batches()) {
      for (const row of rows) sum.add(row);
      yield `${rows.join("\n")}\n`;
      written += rows.length;
      onProgress?.({ table: name, rows: written });
    }
    end.push({ name, ...sum.total() });
  }
  yield `${JSON.stringify({ end })}\n`;
}

/** Writes the lines compressed, followed by their checksum; resolves once they are on disk. */
async function writeSealed(path: string, lines: AsyncGenerator<string>): Promise<void> {
  await using handle = await open(path, "wx", 0o600);
  const hash = createHash("sha256");
  await pipeline(lines, createGzip(), async (compressed) => {
    for await (const bytes of compressed) {
      hash.update(bytes);
      await handle.writeFile(bytes);
    }
  });
  await handle.writeFile(hash.digest());
  await handle.sync();
}

/**
 * Writes a consistent snapshot atomically: it is verified before it gets its final name. Accessible to its owner only, as it
 * contains the whole database.
 */
export async function backupTo(
  database: Pick<Bulk, "snapshot">,
  file: string,
  writing: Writing,
): Promise<BackupReport> {
  const started = performance.now();
  const { encryption } = writing;
  const partial = partialOf(file);
  const plain = encryption ? partialOf(join(encryption.directory, basename(file))) : partial;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const clear = () => Promise.all([partial, plain].map((path) => rm(path, { force: true })));
  await clear();
  try {
    await database.snapshot((snapshot) => writeSealed(plain, linesOf(snapshot, writing)));
    const { header: _, sums: __, ...report } = await verifyBackup(plain, {});
    if (encryption) {
      await encryptFile(plain, partial, encryption.recipient);
      await rm(plain);
    }
    await rename(partial, file);
    await syncToDisk(dirname(file));
    return { ...report, file, bytes: statSync(file).size, seconds: secondsSince(started) };
  } catch (error) {
    await clear();
    throw error;
  }
}
