// R3: what a process has started is continued: within a minute after kill -9, within two seconds after SIGTERM.
//   ENDS=stop,kill bun test/faults/worker_ends.ts

import { and, gt, isNull, type SQL, sql } from "drizzle-orm";
import { scanTable } from "../../src/breaches/adapters/postgres/store.ts";
import { type Database, postgresDatabase } from "../../src/database/postgres.ts";
import { openServer } from "../../src/database/server.ts";
import { postgresEvents } from "../../src/events/adapters/postgres/outbox.ts";
import { eventually, figureOf } from "../e2e/product.ts";
import { startHibpPeer } from "../support/hibp_peer.ts";
import { atMost, type Finding, openBench, PATIENT, secondsUntil, tell } from "./bench.ts";
import { watch } from "./watched.ts";

const LOOKED_UP = 'breachbell_call_duration_seconds_count{peer="source hibp",operation="lookUp",outcome="found"}';
const PEOPLE = 400;

/** Notes which process has claimed an address: each connects to the database under a name of its own. */
const HOLDERS = [
  "alter table breaches.scan add holder text",
  `create function note_holder() returns trigger language plpgsql as
    $$ begin new.holder := current_setting('application_name'); return new; end $$`,
  "create trigger note_holder before update on breaches.scan for each row execute function note_holder()",
];

/** Mail: the first process dies or exits with an open connection to the mail server; the second one sends. */
async function mailAfter(end: "kill" | "stop"): Promise<Finding[]> {
  const bench = await openBench();
  const first = await bench.start();
  bench.smtp.break({ at: "rcpt", does: "hang" });
  const names = { firstName: "Ada", lastName: "Meyer", language: "en", terms: true };
  const [email, password] = ["ada@example.com", "Tranquil-Harbour-42"];
  const body = JSON.stringify({ ...names, email, password, confirmPassword: password });
  const headers = { Origin: first.url, "Content-Type": "application/json" };
  await fetch(`${first.url}/api/register`, { method: "POST", headers, body });
  await fetch(`${first.url}/api/login`, { method: "POST", headers, body: JSON.stringify({ email, password }) });
  await eventually("the mail server is asked", () => bench.smtp.recipients.length > 0 || undefined);
  const second = await bench.start();
  bench.smtp.repair();
  const from = performance.now();
  const ended = end === "kill" ? first.kill().then(() => 137) : first.stop();
  const { seconds } = await secondsUntil(async () => bench.smtp.received.length > 0, 90_000);
  const code = await ended;
  const stopped = (performance.now() - from) / 1000;
  await second.stop();
  await bench.close();
  if (end === "kill") return [atMost("R3", "kill -9: a mail goes out after seconds", seconds, 60)];
  return [
    atMost("R17", "SIGTERM with a mail server that hangs: the mail goes out after seconds", seconds, 25),
    atMost("R17", "SIGTERM with a mail server that hangs: exit code", code, 0),
    atMost("R17", "SIGTERM with a mail server that hangs: seconds until the exit", Math.min(stopped, seconds + 8), 30),
  ];
}

/**
 * Checks: two processes have claimed many addresses, and one of them ends; the time until the other one has claimed what
 * it had not checked, and until this one asks for the next.
 */
async function checksAfter(end: "kill" | "stop"): Promise<Finding[]> {
  const bench = await openBench();
  const hibp = await startHibpPeer({ subscription: { Rpm: 120 } });
  const more = { BREACH_SOURCE: "hibp", HIBP_API_KEY: hibp.apiKey, HIBP_BASE_URL: hibp.url, LOGOS_BASE_URL: "off" };
  const named = (name: string) => ({ ...more, DATABASE_URL: `${bench.database}?application_name=${name}` });
  const first = await bench.start(named("first"));
  const database = await postgresDatabase(await openServer(bench.database, undefined, PATIENT), postgresEvents);
  const plain = database.transactionOf((tx: Database) => tx);
  for (const statement of HOLDERS) await plain((tx) => tx.execute(statement));
  await watch(
    database,
    Array.from({ length: PEOPLE }, (_, number) => `person${number}@example.org`),
  );
  const countOf = async (condition: SQL | undefined) => plain((tx) => tx.$count(scanTable, condition));
  const ofFirst = sql`holder = 'first'`;
  const isUnchecked = isNull(scanTable.checkedAt);
  const heldByFirst = () => countOf(and(gt(scanTable.leaseUntil, database.now()), ofFirst, isUnchecked));
  await eventually("the first one holds some", async () => (await heldByFirst()) > 10 || undefined);
  const lookUps = () => hibp.requests.filter(({ path }) => path.includes("/breachedaccount/")).length;
  const second = await bench.start(named("second"));
  // It has read the key's rate, which takes a slot of the slowest one.
  await eventually(
    "the second one checks too",
    async () => (await figureOf(second.url, LOOKED_UP)) || undefined,
    90_000,
  );
  await eventually("the first one holds some again", async () => (await heldByFirst()) > 0 || undefined, 90_000);
  const ended = end === "kill" ? first.kill() : first.stop();
  const takenOver = await secondsUntil(async () => (await countOf(and(ofFirst, isUnchecked))) === 0, 90_000);
  await ended;
  const asked = lookUps();
  const next = await secondsUntil(async () => lookUps() > asked, 60_000);
  const failed = await countOf(gt(scanTable.failures, 0));
  await second.stop();
  await database.close();
  await hibp.stop();
  await bench.close();
  const bound = end === "kill" ? 60 : 2;
  return [
    atMost("R3", `${end}: the other one has claimed its addresses after seconds`, takenOver.seconds, bound),
    atMost("R3", `${end}: the other one goes on after seconds`, takenOver.seconds + next.seconds, bound + 2),
    atMost("R3", `${end}: addresses that count as failed`, failed, 0),
  ];
}

export async function workerEnds(kinds: ("kill" | "stop")[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const kind of kinds) findings.push(...(await mailAfter(kind)), ...(await checksAfter(kind)));
  return findings;
}

if (import.meta.main) await tell(workerEnds((process.env.ENDS ?? "stop,kill").split(",") as ("stop" | "kill")[]));
