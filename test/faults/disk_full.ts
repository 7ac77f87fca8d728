// R37: the data directory on a small disk that fills up, and on a read-only one. Errors are clean, nothing
// acknowledged is lost, and work continues when there is space again. Requires root, for a RAM disk.

import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openPglite } from "../../src/database/pglite.ts";
import { type Database, postgresDatabase } from "../../src/database/postgres.ts";
import { postgresEvents } from "../../src/events/adapters/postgres/outbox.ts";
import { usersTable } from "../../src/identity/adapters/postgres/store.ts";
import { PASSWORD } from "../e2e/api.ts";
import { eventually, removeDirectory, startProduct, temporaryDirectory } from "../e2e/product.ts";
import { atLeast, atMost, type Finding, tell } from "./bench.ts";

const DISK_MB = 200;
const TRIES = 5;
/** Enough that tables have to grow. */
const WHILE_FULL = 80;
const ENV = { TRUST_PROXY: "loopback" };

function mount(...args: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(["mount", ...args]);
  if (exitCode !== 0) throw new Error(`Cannot mount: ${stderr}`);
}

/** Uses up all remaining space; returns a function that frees it. */
function fill(directory: string): () => void {
  const path = join(directory, "filler");
  const file = openSync(path, "w");
  for (const size of [1_048_576, 4096, 1]) {
    const block = Buffer.alloc(size, 1);
    try {
      for (;;) if (writeSync(file, block) < size) break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  }
  closeSync(file);
  return () => rmSync(path);
}

let visitors = 0;

/** Each from a separate network, so that no limit applies. */
async function register(url: string, email: string): Promise<number> {
  visitors += 1;
  const answer = await fetch(`${url}/api/register`, {
    method: "POST",
    headers: {
      Origin: url,
      "Content-Type": "application/json",
      "X-Forwarded-For": `203.0.${visitors >> 8}.${visitors & 255}`,
    },
    body: JSON.stringify({
      firstName: "Grace",
      lastName: "Meyer",
      email,
      language: "en",
      terms: true,
      password: PASSWORD,
      confirmPassword: PASSWORD,
    }),
  });
  await answer.body?.cancel();
  return answer.status;
}

type Outcome = { acknowledged: string[]; slowest: number; failed: number };

/** Registers a few accounts; those answered with 201 must exist forever. */
async function write(url: string, name: string, tries = TRIES): Promise<Outcome> {
  const outcome: Outcome = { acknowledged: [], slowest: 0, failed: 0 };
  for (let index = 0; index < tries; index += 1) {
    const email = `${name}-${index}@people.example`;
    const from = performance.now();
    const status = await register(url, email).catch(() => 0);
    outcome.slowest = Math.max(outcome.slowest, (performance.now() - from) / 1000);
    if (status === 201) outcome.acknowledged.push(email);
    else outcome.failed += 1;
  }
  return outcome;
}

/** How many of these accounts the database has lost. */
async function lost(directory: string, emails: string[]): Promise<number> {
  const connection = await openPglite(directory, join(import.meta.dirname, "../../migrations"));
  const read = (await postgresDatabase(connection, postgresEvents)).transactionOf((tx: Database) => tx);
  const rows = await read((tx) => tx.select({ email: usersTable.email }).from(usersTable));
  await connection.close();
  return emails.filter((email) => !rows.some((row) => row.email === email)).length;
}

async function findings(): Promise<Finding[]> {
  const disk = temporaryDirectory();
  mount("-t", "tmpfs", "-o", `size=${DISK_MB}m,mode=700`, "tmpfs", disk);
  let product = await startProduct(ENV, disk);
  const told: Finding[] = [];
  const kept: string[] = [];
  try {
    kept.push(...(await write(product.url, "before")).acknowledged);

    const free = fill(disk);
    const full = await write(product.url, "full", WHILE_FULL);
    kept.push(...full.acknowledged);
    told.push(atMost("R37", "seconds for the slowest answer while the disk is full", full.slowest, 10));
    const probe = await fetch(`${product.url}/readyz`).then(
      (answer) => answer.text(),
      () => "gone",
    );
    told.push(
      atLeast("R37", "/readyz says that the disk is full", probe.includes('"disk"') || probe === "gone" ? 1 : 0, 1),
    );
    await product.kill();
    const noStart = await startProduct(ENV, disk).then(
      () => "",
      (error: Error) => error.message,
    );
    told.push(atLeast("R37", "a start on a full disk says so", noStart.includes(`"${disk}" is full`) ? 1 : 0, 1));
    free();
    const from = performance.now();
    // A process that exited is replaced, as by its supervisor.
    const isUp = await fetch(`${product.url}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!isUp) product = await startProduct(ENV, disk);
    await eventually(
      "it writes again",
      async () => (await write(product.url, `after-${crypto.randomUUID()}`)).failed === 0 || undefined,
      60_000,
    );
    told.push(atMost("R37", "seconds until it writes again", (performance.now() - from) / 1000, 20));
    told.push(atLeast("R37", "answers were refused while the disk was full", full.failed, 1));

    await product.kill();
    mount("-o", "remount,ro", disk);
    const refused = await startProduct(ENV, disk).then(
      () => "",
      (error: Error) => error.message,
    );
    told.push(atLeast("R37", "a start on a disk that can only be read says so", refused.includes(disk) ? 1 : 0, 1));
    mount("-o", "remount,rw", disk);

    told.push(atMost("R37", `of ${kept.length} acknowledged accounts are lost`, await lost(disk, kept), 0));
  } finally {
    await product.kill();
    Bun.spawnSync(["umount", disk]);
    removeDirectory(disk);
  }
  return told;
}

if (import.meta.main) await tell(findings());
