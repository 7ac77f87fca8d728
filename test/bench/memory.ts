import { codeIn, mailbox, signIn } from "../e2e/api.ts";
import { removeDirectory, temporaryDirectory } from "../e2e/product.ts";
import { median, round, spreadOf, tell } from "./figures.ts";
import { load } from "./load.ts";
import { startWatched } from "./process.ts";

const BOUND = { postgres: 75, pglite: 300, growth: 60 };
/** So long nothing is asked, until memory counts as idle. */
const REST_MS = 3000;

/** What a fresh process holds: idle, and after a load of requests with a session. */
async function measured(databaseUrl: string | undefined, requests: number) {
  const place = temporaryDirectory();
  const env = { DATA_DIR: place, BILLING: "off", LOG_LEVEL: "warn", ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
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
  removeDirectory(place);
  return { idle, loaded };
}

/** Resident memory in MB: idle, and how much more after a load. */
export async function memory(
  newDatabase: (() => Promise<string>) | undefined,
  requests: number,
  rounds: number,
): Promise<void> {
  const samples: { idle: number; loaded: number }[] = [];
  for (let turn = 0; turn < rounds; turn++) samples.push(await measured(await newDatabase?.(), requests));
  const idle = samples.map((sample) => sample.idle);
  const database = newDatabase ? "postgres" : "pglite";
  const [figure, bound] = [round(median(idle), 1), BOUND[database]];
  const growth = round(median(samples.map((sample) => sample.loaded - sample.idle)), 1);
  tell({
    ...{ line: "memory", database, requests, figure, spread: round(spreadOf(idle), 1), bound },
    ...{ growth_mb: growth, growth_bound_mb: BOUND.growth, pass: figure <= bound && growth <= BOUND.growth },
  });
}
