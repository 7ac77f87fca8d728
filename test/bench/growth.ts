import postgres from "postgres";
import { removeDirectory, startProduct, temporaryDirectory } from "../e2e/product.ts";
import { openCrowd } from "./crowd.ts";
import { median, round, tell } from "./figures.ts";
import type { Sample } from "./load.ts";
import { measurePlan } from "./plan_scan.ts";
import { measureScan } from "./scan.ts";
import { askDashboard, askGuard, cookieOf } from "./signed_in.ts";

/** Of the largest to the smallest: how long somebody waits at most, and what one address costs, which is to stay as it is. */
const BOUND = { p99: 2, cost: 1.25 };
const ROUNDS = 5;
const OWN = 50;
const EMAIL = "bench@example.com";

/** How long somebody who watches fifty addresses waits, where so many others do. */
async function waits(databaseUrl: string, addresses: number, requests: number) {
  const place = temporaryDirectory();
  await (await openCrowd(databaseUrl, addresses, {}, place)).close({ keep: true });
  const product = await startProduct({ DATABASE_URL: databaseUrl, BILLING: "off", BREACH_SOURCE: "dataset" }, place);
  const cookie = await cookieOf(product.url, EMAIL);
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await sql`insert into tracking.association
    (id, account_id, address, owner, language, contacts, paused, suspended, open_alerts, open_version, created_at)
    select gen_random_uuid(), (select id from identity.users where email = ${EMAIL}), 'own' || n || '@example.org', true,
      'en', '[{"channel":"email","value":"bench@example.com"}]', false, false, n % 4, 1, now()
    from generate_series(1, ${OWN}::int) n`;
  await sql`analyze`;
  await sql.end();
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

/** Whether anything becomes slower where more addresses are watched. */
export async function growth(newDatabase: () => Promise<string>, sizes: number[], requests: number): Promise<void> {
  const all: Record<string, number[]> = { "guard-call": [], dashboard: [], "plan-scan": [], scan: [] };
  const costOf = (samples: { product: Sample }[]) => median(samples.map(({ product }) => 1_000_000 / product.rate));
  for (const addresses of sizes) {
    const { guard, dashboard } = await waits(await newDatabase(), addresses, requests);
    all["guard-call"]?.push(guard);
    all.dashboard?.push(dashboard);
    all["plan-scan"]?.push(costOf((await measurePlan(await newDatabase(), addresses, 1)).samples));
    all.scan?.push(
      costOf(await measureScan(await newDatabase(), { people: addresses, due: sizes[0] ?? 0, rounds: 1 })),
    );
  }
  for (const [of, values] of Object.entries(all)) {
    const isWait = of === "guard-call" || of === "dashboard";
    const [figure, bound] = [round((values.at(-1) ?? 0) / (values[0] ?? 0)), isWait ? BOUND.p99 : BOUND.cost];
    const told = { [isWait ? "p99_ms" : "microseconds"]: values.map((value) => round(value, 1)) };
    tell({ line: "growth", of, database: "postgres", addresses: sizes, ...told, figure, bound, pass: figure <= bound });
  }
}
