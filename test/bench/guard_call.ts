import { codeIn, mailbox, signIn } from "../e2e/api.ts";
import { eventually, removeDirectory, startProduct } from "../e2e/product.ts";
import { freePort } from "../support/ports.ts";
import { load, type Pair, report, type Sample } from "./load.ts";
import type { Place } from "./population.ts";

const ROUNDS = 5;
const BOUNDS = { rate: 3000, p99Ms: 25 };

function askGuard(url: string, cookie: string, requests: number): Promise<Sample> {
  return load({ callers: 32, requests }, async () => {
    const answer = await fetch(url, { headers: { Cookie: cookie } });
    const body = (await answer.json()) as { auth_level?: string };
    if (body.auth_level !== "authenticated") throw new Error(`Not signed in: ${JSON.stringify(body)}`);
  });
}

/** The session check before each navigation, against bare Hono with the same session lookup. */
export async function guardCall({ databaseUrl, dataDir }: Place, requests: number): Promise<void> {
  const product = await startProduct(databaseUrl ? { DATABASE_URL: databaseUrl } : {}, dataDir);
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
  const ask = {
    product: () => askGuard(`${product.url}/api/check-user-authentication/`, client.cookie(), requests),
    raw: () => askGuard(`http://127.0.0.1:${rawPort}/`, `session=${token}`, requests),
  };
  await ask.product();
  await ask.raw();
  const samples: Pair[] = [];
  for (let i = 0; i < ROUNDS; i++) samples.push({ product: await ask.product(), raw: await ask.raw() });
  raw.kill();
  await product.stop();
  removeDirectory(product.dataDir);
  const database = databaseUrl ? "postgres" : "pglite";
  report({ line: "guard-call", database, bounds: BOUNDS }, samples);
}
