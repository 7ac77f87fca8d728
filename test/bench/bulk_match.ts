import { createReadStream, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import postgres from "postgres";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { datasetFeed } from "../../src/breaches/adapters/sources/dataset/dataset.ts";
import { importFiles, requestPath, writeWhole } from "../../src/breaches/adapters/sources/dataset/import_files.ts";
import type { BreachStore } from "../../src/breaches/ports.ts";
import type { Transaction } from "../../src/shared/transaction.ts";
import { removeDirectory, temporaryDirectory } from "../e2e/product.ts";
import { growthDuring, openEngine, timed } from "./engine.ts";
import { report, type Sample } from "./load.ts";

const WHOLE = { hashes: 10_000_000, addresses: 1_000_000, rounds: 1 };
const SHORT = { hashes: 100_000, addresses: 100_000, rounds: 3 };
/** Every hundredth line is a monitored address. */
const SHARE = 100;
const STEP = 10_000;
/** 10,000,000 hashes in 45 s. */
const BOUNDS = { rate: 222_222 };
const MOST_MB = 300;

const sha1 = (text: string) => Bun.SHA1.hash(text, "hex");
const addressAt = (line: number, addresses: number) =>
  line % SHARE === 0 ? `person${(line / SHARE) % addresses}` : `stranger${line}`;

async function writeHashes(path: string, { hashes, addresses }: typeof SHORT): Promise<void> {
  const file = await open(path, "w");
  for (let from = 0; from < hashes; from += STEP) {
    let lines = "";
    for (let line = from; line < Math.min(from + STEP, hashes); line++)
      lines += `${sha1(`${addressAt(line, addresses)}@example.org`)}\n`;
    await file.write(lines);
  }
  await file.close();
}

/** A dataset's import against COPY and a hand-written hash join. */
export async function bulkMatch(databaseUrl: string, short: boolean): Promise<void> {
  const size = short ? SHORT : WHOLE;
  const { hashes, addresses, rounds } = size;
  const directory = temporaryDirectory();
  const [file, desk] = [join(directory, "hashes.csv"), join(directory, "imports")];
  await writeHashes(file, size);
  let transaction: Transaction<BreachStore> | undefined;
  const engine = await openEngine({
    databaseUrl,
    feeds: (_, now) => [datasetFeed((work) => transaction?.(work) ?? Promise.reject(new Error("Not open yet")), now)],
    imports: importFiles(desk),
  });
  transaction = (work) => engine.plain((tx) => work(postgresBreaches(tx, { publish: async () => {} })));
  const client = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  // Postgres itself has no SHA-1: addresses are hashed here.
  for (let start = 0; start < addresses; start += STEP) {
    const people = Array.from({ length: Math.min(STEP, addresses - start) }, (_, index) => {
      const address = `person${start + index}@example.org`;
      return { address, hash: sha1(address) };
    });
    await client`insert into breaches.watch (association_id, account_id, address, sha1, sha256, baseline_at)
      select gen_random_uuid(), gen_random_uuid(), address, hash, encode(sha256(address::bytea), 'hex'), now()
      from json_to_recordset(${JSON.stringify(people)}::text::json) as person(address text, hash text)`;
  }
  await client`create table raw_hash (hash text not null)`;
  await client`create table raw_found (address text primary key)`;
  await client.unsafe("vacuum analyze breaches.watch");

  let run = 0;
  const anew = async () => {
    for (const table of ["breaches.dataset_block", "breaches.exposure", "breaches.alert", "events.outbox"])
      await client.unsafe(`truncate ${table}`);
    await client`truncate raw_hash, raw_found`;
  };
  const expected = Math.min(addresses, Math.ceil(hashes / SHARE));
  async function imported(): Promise<void> {
    const id = String(++run).padStart(32, "0");
    const { size, mtimeMs: modifiedAt } = statSync(file);
    const request = { id, file, size, modifiedAt, skipBad: false, breach: "Village Shop", facts: {} };
    await writeWhole(requestPath(desk, id), request);
    await engine.breaches.importDue();
    const [row] = await client<{ count: number }[]>`select count(*)::int as count from breaches.alert`;
    if (row?.count !== expected) throw new Error(`${row?.count} alerts instead of ${expected}`);
  }
  async function byHand(): Promise<void> {
    await pipeline(createReadStream(file), await client`copy raw_hash from stdin`.writable());
    await client`insert into raw_found select distinct address from raw_hash join breaches.watch on sha1 = hash`;
    const [row] = await client<{ count: number }[]>`select count(*)::int as count from raw_found`;
    if (row?.count !== expected) throw new Error(`${row?.count} found instead of ${expected}`);
  }
  await engine.breaches.importDue();
  const samples: { product: Sample; raw: Sample }[] = [];
  let growth = 0;
  for (let round = 0; round < rounds; round++) {
    await anew();
    const raw = await timed(hashes, byHand);
    await anew();
    let product = raw;
    const grown = await growthDuring(async () => {
      product = await timed(hashes, imported);
    });
    growth = Math.max(growth, grown);
    samples.push({ product, raw });
  }
  const about = { line: "bulk-match", database: "postgres", hashes, addresses, bounds: BOUNDS };
  report({ ...about, growth_mb: growth, growth_bound_mb: MOST_MB }, samples, growth <= MOST_MB);
  await client.end();
  await engine.close();
  removeDirectory(directory);
}
