// `bun run bench`: one JSON line each. Speed is a ratio to a raw limit measured in the same run; a line with `pass` ends
// the run with an error when it is false.
import { codeIn, mailbox, signIn } from "../e2e/api.ts";
import { eventually, freePort, removeDirectory, startProduct } from "../e2e/product.ts";
import { createDatabase, startPostgresServer } from "../support/postgres_server.ts";
import { argon2id } from "./argon2id.ts";
import { backup } from "./backup.ts";
import { bulkMatch } from "./bulk_match.ts";
import { catalogueSync } from "./catalogue_sync.ts";
import { dashboard } from "./dashboard.ts";
import { load, report, type Sample } from "./load.ts";
import { scan } from "./scan.ts";
import { signInTiming } from "./sign_in_timing.ts";

const LOAD = { callers: 32, requests: 4000 };
const ROUNDS = 5;

function askGuard(url: string, cookie: string): Promise<Sample> {
  return load(LOAD, async () => {
    const answer = await fetch(url, { headers: { Cookie: cookie } });
    const body = (await answer.json()) as { auth_level?: string };
    if (body.auth_level !== "authenticated") throw new Error(`Not signed in: ${JSON.stringify(body)}`);
  });
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
  await askGuard(guard, cookie);
  await askGuard(bare, `session=${token}`);
  const samples: { product: Sample; raw: Sample }[] = [];
  for (let i = 0; i < ROUNDS; i++)
    samples.push({ product: await askGuard(guard, cookie), raw: await askGuard(bare, `session=${token}`) });
  raw.kill();
  await product.stop();
  removeDirectory(product.dataDir);
  report({ line: "guard-call", database }, samples);
}

await guardCall("pglite", undefined);
const server = await startPostgresServer();
await guardCall("postgres", server.url);
await dashboard(server.url);
for (const databaseUrl of [undefined, await createDatabase(server.url)]) {
  await catalogueSync(databaseUrl);
  await scan(databaseUrl);
}
await bulkMatch(await createDatabase(server.url));
await backup(process.env.BENCH_FULL ? 100_000 : 20_000);
await server.stop();
await argon2id();
await signInTiming();
