import { median, round, spreadOf, tell } from "./figures.ts";
import type { Place } from "./population.ts";
import { startWatched } from "./process.ts";

const BOUND = { postgres: 0.3, pglite: 0.6 };

/**
 * Seconds from the start of the `bun start` process to its first response, with an existing database; compared with a
 * minimal server.
 */
export async function start({ databaseUrl, dataDir }: Place, rounds: number): Promise<void> {
  const env = { DATA_DIR: dataDir, BILLING: "off", ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
  await (await startWatched("product", env)).stop();
  const [seconds, empty]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < rounds; turn++) {
    const product = await startWatched("product", env);
    seconds.push(product.ms / 1000);
    await product.stop();
    const bare = await startWatched("empty");
    empty.push(bare.ms / 1000);
    await bare.stop();
  }
  const database = databaseUrl ? "postgres" : "pglite";
  const [figure, bound] = [median(seconds), BOUND[database]];
  tell({
    line: "start",
    database,
    figure: round(figure, 3),
    spread: round(spreadOf(seconds), 3),
    empty_seconds: round(median(empty), 3),
    bound,
    pass: figure <= bound,
  });
}
