import { codeIn, mailbox, signIn } from "../e2e/api.ts";
import { median, round, spreadOf, tell } from "./figures.ts";
import { load } from "./load.ts";
import type { Place } from "./population.ts";
import { startWatched } from "./process.ts";

const BOUND = { postgres: 120, pglite: 300, growth: 60 };
/** The time without requests after which memory counts as idle. */
const REST_MS = 3000;

/** The memory of a new process: idle, and after a load of requests with a session. */
async function measured({ databaseUrl, dataDir }: Place, requests: number) {
  const env = {
    DATA_DIR: dataDir,
    BILLING: "off",
    LOG_LEVEL: "warn",
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  };
  const before = await startWatched("product", env);
  const client = await signIn(before.url.replace("127.0.0.1", "localhost"), "memory@example.com", async () => {
    const [mail] = await mailbox(before.url);
    return mail && codeIn(mail.text);
  });
  await before.stop();
  const product = await startWatched("product", env);
  await Bun.sleep(REST_MS);
  const idle = product.megabytes();
  let turn = 0;
  await load({ callers: 32, requests }, async () => {
    const path = turn++ % 2 === 0 ? "/api/associations" : "/en/login";
    const answer = await fetch(product.url + path, { headers: { Cookie: client.cookie() } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
  });
  await Bun.sleep(REST_MS);
  const loaded = product.megabytes();
  await product.stop();
  return { idle, loaded };
}

/** Resident memory in MB: idle, and its growth after a load. */
export async function memory(places: Place[], requests: number): Promise<void> {
  const samples: { idle: number; loaded: number }[] = [];
  for (const place of places) samples.push(await measured(place, requests));
  const idle = samples.map((sample) => sample.idle);
  const database = places[0]?.databaseUrl ? "postgres" : "pglite";
  const [figure, bound] = [median(idle), BOUND[database]];
  const growth = median(samples.map((sample) => sample.loaded - sample.idle));
  tell({
    line: "memory",
    database,
    requests,
    figure: round(figure, 1),
    spread: round(spreadOf(idle), 1),
    bound,
    growth_mb: round(growth, 1),
    growth_bound_mb: BOUND.growth,
    pass: figure <= bound && growth <= BOUND.growth,
  });
}
