import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import {
  IMPORTS,
  importFiles,
  requestPath,
  writeWhole,
} from "../../src/breaches/adapters/sources/dataset/import_files.ts";
import { eventually, type Product, removeDirectory, startProduct, temporaryDirectory } from "../e2e/product.ts";
import { freePort } from "../support/ports.ts";
import { median, round, tell } from "./figures.ts";
import { spawnSink } from "./mail_sink.ts";
import { ADDRESSES_EACH, SEEDED, seed } from "./seeded.ts";

const ROUNDS = 3;
const WITHIN_MS = 60 * 60_000;
const KILL_EVERY_MS = { least: 2000, most: 6000 };
const BOUNDS = { twoProcesses: 1.4, killed: 1.3 };

/** The most memory that a process has had so far, in MB (proc(5), VmHWM). */
export function peakOf(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

/** A list with one address of each account, as those of one account share a mail; it lies where `breachbell import` puts it. */
async function publish(dataDir: string, concerned: number): Promise<void> {
  const id = crypto.randomUUID().replaceAll("-", "");
  const file = join(dataDir, `${id}.csv`);
  const address = (n: number) => `person${n * ADDRESSES_EACH}@example.org`;
  const hashes = Array.from({ length: concerned }, (_, n) => createHash("sha256").update(address(n)).digest("hex"));
  writeFileSync(file, `${hashes.join("\n")}\n`);
  await importFiles(join(dataDir, IMPORTS)).list();
  const { size, mtimeMs: modifiedAt } = statSync(file);
  const request = { id, file, size, modifiedAt, skipBad: false, breach: `Village Shop ${id}`, facts: {} };
  await writeWhole(requestPath(join(dataDir, IMPORTS), id), request);
}

/** A process that is killed at random moments and started again, until `stop`. */
async function mortal(start: () => Promise<Product>) {
  let product = await start();
  let isOver = false;
  let kills = 0;
  const killing = (async () => {
    const { least, most } = KILL_EVERY_MS;
    for (;;) {
      await Bun.sleep(least + Math.random() * (most - least));
      if (isOver) return;
      await product.kill();
      kills += 1;
      product = await start();
    }
  })();
  return {
    kills: () => kills,
    pid: () => product.pid,
    async stop(): Promise<void> {
      isOver = true;
      await killing;
      await product.stop();
    },
  };
}

/** `rate` in mails a second; `megabytes`: the most memory of any of the processes; `accepted` counts mails sent twice, too. */
export type Told = { rate: number; megabytes: number; accepted: number; kills: number };
type Telling = { concerned: number; processes?: number; isKilled?: boolean };

/** From a breach that concerns so many accounts of a seeded database until the last of their mails is marked as sent. */
export async function tellAll(
  databaseUrl: string,
  { concerned, processes = 1, isKilled = false }: Telling,
): Promise<Told> {
  const sink = await spawnSink();
  const env = {
    ...SEEDED,
    DATABASE_URL: databaseUrl,
    MAIL_FROM: "alerts@breachbell.example",
    SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
  };
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  const marked = async () => {
    const [row] = await sql<{ count: number }[]>`select count(*)::int from notifications.delivery where state = 'sent'`;
    return row?.count ?? 0;
  };
  const before = await marked();
  const dataDir = temporaryDirectory();
  const port = await freePort();
  const first = isKilled ? await mortal(() => startProduct(env, dataDir, port)) : undefined;
  const others: Product[] = [];
  if (!first) others.push(await startProduct(env, dataDir));
  while (others.length < processes - (first ? 1 : 0)) others.push(await startProduct(env));
  const from = performance.now();
  await publish(dataDir, concerned);
  const isAccepted = async () => (await sink.accepted()).count >= concerned || undefined;
  await eventually("every mail is accepted", isAccepted, WITHIN_MS);
  await eventually("every mail is marked", async () => (await marked()) >= before + concerned || undefined, WITHIN_MS);
  const rate = (concerned * 1000) / (performance.now() - from);
  const megabytes = Math.max(
    ...[first?.pid(), ...others.map(({ pid }) => pid)].flatMap((pid) => (pid ? [peakOf(pid)] : [])),
  );
  await Promise.all([first?.stop(), ...others.map((product) => product.stop())]);
  const { count: accepted } = await sink.accepted();
  await sink.stop();
  await sql.end();
  for (const directory of [dataDir, ...others.map((product) => product.dataDir)]) removeDirectory(directory);
  return { rate, megabytes, accepted, kills: first?.kills() ?? 0 };
}

/** The same breach told by two processes, and by one that is killed again and again; both against one alone. */
export async function tellingProcesses(databaseUrl: string, concerned: number): Promise<void> {
  await seed(databaseUrl, concerned * 10);
  await tellAll(databaseUrl, { concerned });
  const [alone, two, killed]: [Told[], Told[], Told[]] = [[], [], []];
  for (let turn = 0; turn < ROUNDS; turn++) {
    alone.push(await tellAll(databaseUrl, { concerned }));
    two.push(await tellAll(databaseUrl, { concerned, processes: 2 }));
    killed.push(await tellAll(databaseUrl, { concerned, isKilled: true }));
  }
  const rateOf = (all: Told[]) => median(all.map(({ rate }) => rate));
  const gain = rateOf(two) / rateOf(alone);
  const line = { database: "postgres", concerned, alone: Math.round(rateOf(alone)) };
  tell({
    line: "two-processes",
    ...line,
    rate: Math.round(rateOf(two)),
    times: round(gain),
    bound: BOUNDS.twoProcesses,
    pass: gain >= BOUNDS.twoProcesses,
  });
  const loss = rateOf(alone) / rateOf(killed);
  tell({
    line: "killed",
    ...line,
    rate: Math.round(rateOf(killed)),
    times_the_time: round(loss),
    kills: killed.map(({ kills }) => kills),
    sent_twice: killed.map(({ accepted }) => accepted - concerned),
    bound: BOUNDS.killed,
    pass: loss <= BOUNDS.killed,
  });
}
