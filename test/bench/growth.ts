import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import postgres from "postgres";
import { removeDirectory, startProduct, temporaryDirectory } from "../e2e/product.ts";
import { openCrowd } from "./crowd.ts";
import { median, round, tell } from "./figures.ts";
import type { Sample } from "./load.ts";
import { measurePlan } from "./plan_scan.ts";
import { measureScan } from "./scan.ts";
import { askDashboard, askGuard, cookieOf } from "./signed_in.ts";

/** Ratios of the largest to the smallest population: of the longest waits, and of the cost per address. */
const BOUND = { p99: 2, cost: 1.25 };
const ROUNDS = 5;
const OWN = 50;
const EMAIL = "bench@example.com";

/** The addresses of the waiting user, and the planner's statistics. */
const OWN_ADDRESSES = `insert into tracking.association
  (id, account_id, address, owner, consent, language, contacts, paused, suspended, open_alerts, open_version, created_at)
  select gen_random_uuid(), (select id from identity.users where email = '${EMAIL}'), 'own' || n || '@example.org', false,
    'granted', 'en', '[{"channel":"email","value":"${EMAIL}"}]', false, false, n % 4, 1, now()
  from generate_series(1, ${OWN}) n`;

async function byHand(databaseUrl: string | undefined, place: string, statements: string[]): Promise<void> {
  if (databaseUrl === undefined) {
    const database = await PGlite.create(join(place, "pgdata"));
    for (const statement of statements) await database.exec(statement);
    return database.close();
  }
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  for (const statement of statements) await sql.unsafe(statement);
  await sql.end();
}

/** How long a user with fifty addresses waits, depending on the number of others. */
async function waits(databaseUrl: string | undefined, addresses: number, requests: number) {
  const place = temporaryDirectory();
  await (await openCrowd(databaseUrl, addresses, {}, place)).close({ keep: true });
  const env = { BILLING: "off", BREACH_SOURCE: "dataset", ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
  const empty = await startProduct(env, place);
  const cookie = await cookieOf(empty.url, EMAIL);
  await empty.stop();
  await byHand(databaseUrl, place, [OWN_ADDRESSES, "analyze"]);
  const product = await startProduct(env, place);
  const p99Of = async (ask: () => Promise<Sample>) => {
    await ask();
    const samples: number[] = [];
    for (let turn = 0; turn < ROUNDS; turn++) samples.push((await ask()).p99);
    return median(samples);
  };
  const guard = await p99Of(() => askGuard(product.url, cookie, requests));
  const dashboard = await p99Of(() => askDashboard(product.url, cookie, requests));
  await product.stop();
  removeDirectory(place);
  return { guard, dashboard };
}

/** Whether anything becomes slower with more monitored addresses. Plans are measured on a server only. */
export async function growth(
  database: "pglite" | "postgres",
  newDatabase: () => Promise<string>,
  sizes: number[],
  requests: number,
): Promise<void> {
  const all = new Map<string, number[]>();
  const note = (of: string, value: number) => all.set(of, [...(all.get(of) ?? []), value]);
  const costOf = (samples: { product: Sample }[]) => median(samples.map(({ product }) => 1_000_000 / product.rate));
  const place = async () => (database === "postgres" ? await newDatabase() : undefined);
  for (const addresses of sizes) {
    const { guard, dashboard } = await waits(await place(), addresses, requests);
    note("guard-call", guard);
    note("dashboard", dashboard);
    if (database === "postgres")
      note("plan-scan", costOf((await measurePlan(await newDatabase(), addresses, 1)).samples));
    note("scan", costOf(await measureScan(await place(), { people: addresses, due: sizes[0] ?? 0, rounds: 1 })));
  }
  for (const [of, values] of all) {
    const isWait = of === "guard-call" || of === "dashboard";
    const [figure, bound] = [(values.at(-1) ?? 0) / (values[0] ?? 0), isWait ? BOUND.p99 : BOUND.cost];
    const told = { [isWait ? "p99_ms" : "microseconds"]: values.map((value) => round(value, 1)) };
    tell({
      line: "growth",
      of,
      database,
      addresses: sizes,
      ...told,
      figure: round(figure, 3),
      bound,
      pass: figure <= bound,
    });
  }
}
