// `bun run bench`: one JSON line each. Speed is a ratio to a raw limit measured in the same run; a line with `pass` ends
// the run with an error when it is false.
import { codeIn, mailbox, signIn } from "../e2e/api.ts";
import { eventually, freePort, removeDirectory, startProduct } from "../e2e/product.ts";
import { startPostgresServer } from "../support/postgres_server.ts";
import { argon2id } from "./argon2id.ts";
import { median, round } from "./figures.ts";
import { signInTiming } from "./sign_in_timing.ts";

const CONNECTIONS = 32;
const REQUESTS = 4000;
const ROUNDS = 5;

type Sample = { rate: number; p99: number };

/** `CONNECTIONS` callers at once until `REQUESTS` were answered. */
async function load(url: string, cookie: string): Promise<Sample> {
  const times: number[] = [];
  let left = REQUESTS;
  const caller = async () => {
    while (left-- > 0) {
      const started = performance.now();
      const answer = await fetch(url, { headers: { Cookie: cookie } });
      const body = (await answer.json()) as { auth_level?: string };
      if (body.auth_level !== "authenticated") throw new Error(`Not signed in: ${JSON.stringify(body)}`);
      times.push(performance.now() - started);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, caller));
  const seconds = (performance.now() - started) / 1000;
  times.sort((a, b) => a - b);
  return { rate: times.length / seconds, p99: times[Math.floor(times.length * 0.99)] ?? 0 };
}

async function guardCall(database: "pglite" | "postgres", databaseUrl: string | undefined): Promise<void> {
  const product = await startProduct(databaseUrl ? { DATABASE_URL: databaseUrl } : {});
  const client = await signIn(product.url, "bench@example.com", async () => {
    const [mail] = await mailbox(product.url);
    return mail && codeIn(mail.text);
  });
  const rawPort = await freePort();
  // Any token will do for the raw server; both look one up by its hash.
  const token = "bench-token";
  const raw = Bun.spawn([process.execPath, "test/bench/raw_guard.ts", String(rawPort), token, databaseUrl ?? ""], {
    stdout: "pipe",
  });
  await eventually("the raw server answers", async () =>
    (await fetch(`http://127.0.0.1:${rawPort}/`).catch(() => undefined)) ? true : undefined,
  );
  const cookie = client.cookie();
  const guard = `${product.url}/api/check-user-authentication/`;
  const bare = `http://127.0.0.1:${rawPort}/`;
  await load(guard, cookie);
  await load(bare, `session=${token}`);
  const samples: { product: Sample; raw: Sample }[] = [];
  for (let i = 0; i < ROUNDS; i++)
    samples.push({ product: await load(guard, cookie), raw: await load(bare, `session=${token}`) });
  raw.kill();
  await product.stop();
  removeDirectory(product.dataDir);
  const ratios = samples.map((sample) => sample.product.rate / sample.raw.rate);
  console.log(
    JSON.stringify({
      line: "guard-call",
      database,
      rate: Math.round(median(samples.map((sample) => sample.product.rate))),
      raw: Math.round(median(samples.map((sample) => sample.raw.rate))),
      ratio: round(median(ratios)),
      spread: round(Math.max(...ratios) - Math.min(...ratios)),
      p99_ms: round(median(samples.map((sample) => sample.product.p99)), 1),
    }),
  );
}

await guardCall("pglite", undefined);
const server = await startPostgresServer();
await guardCall("postgres", server.url);
await server.stop();
await argon2id();
await signInTiming();
