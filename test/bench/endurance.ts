import { round, tell } from "./figures.ts";
import type { Place } from "./population.ts";
import { startWatched } from "./process.ts";
import { askGuard, cookieOf } from "./signed_in.ts";

const BOUND = { rate: 0.97, memory: 1.1 };
const PART = 100;

/** Whether a process is as fast and as small after so many requests as after the first hundredth of them. */
export async function endurance({ databaseUrl, dataDir }: Place, requests: number): Promise<void> {
  const env = {
    DATA_DIR: dataDir,
    BILLING: "off",
    LOG_LEVEL: "warn",
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  };
  const product = await startWatched("product", env);
  const url = product.url.replace("127.0.0.1", "localhost");
  const cookie = await cookieOf(url);
  const part = requests / PART;
  const first = await askGuard(url, cookie, part);
  const megabytes = product.megabytes();
  await askGuard(url, cookie, requests - 2 * part);
  const last = await askGuard(url, cookie, part);
  const grown = product.megabytes() / megabytes;
  await product.stop();
  const figure = last.rate / first.rate;
  tell({
    line: "endurance",
    database: databaseUrl ? "postgres" : "pglite",
    requests,
    figure: round(figure, 3),
    bound: BOUND.rate,
    rate: Math.round(last.rate),
    first_rate: Math.round(first.rate),
    megabytes: round(megabytes, 1),
    memory: round(grown),
    memory_bound: BOUND.memory,
    pass: figure >= BOUND.rate && grown <= BOUND.memory,
  });
}
