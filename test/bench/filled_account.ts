import { cpSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import postgres from "postgres";
import { codeIn, mailbox, signIn } from "../e2e/api.ts";
import { eventually, figureOf, removeDirectory, startProduct, temporaryDirectory } from "../e2e/product.ts";
import { freePort } from "../support/ports.ts";
import { load, type Pair } from "./load.ts";
import type { Place } from "./population.ts";

const EMAIL = "bench@example.com";
const CONNECTIONS = 32;
const ROUNDS = 5;

/** An account's data, as statements whose first parameter is the account, and a hand-written one that reads it. */
export type Filling = { statements: string[]; query: string; rows: number };

/** Runs statements for the account, on a server or on the embedded database of a stopped product. */
async function fill(databaseUrl: string | undefined, dataDir: string, statements: string[]): Promise<string> {
  const find = `select id from identity.users where email = '${EMAIL}'`;
  if (databaseUrl === undefined) {
    const database = await PGlite.create(join(dataDir, "pgdata"));
    const { rows } = await database.query<{ id: string }>(find);
    const accountId = rows[0]?.id ?? "";
    for (const statement of statements) await database.query(statement, [accountId]);
    await database.exec("analyze");
    await database.close();
    return accountId;
  }
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  const [row] = await sql.unsafe<{ id: string }[]>(find);
  for (const statement of statements) await sql.unsafe(statement, [row?.id ?? ""]);
  await sql.unsafe("analyze");
  await sql.end();
  return row?.id ?? "";
}

async function rawServer(databaseUrl: string | undefined, dataDir: string, query: string, accountId: string) {
  const copy = temporaryDirectory();
  if (databaseUrl === undefined) cpSync(join(dataDir, "pgdata"), copy, { recursive: true });
  const port = await freePort();
  const raw = Bun.spawn(
    [process.execPath, join(import.meta.dirname, "raw_query.ts"), String(port), databaseUrl ?? copy, query, accountId],
    { stdout: "ignore" },
  );
  // A failed measurement must not leave it running.
  process.on("exit", () => raw.kill());
  const url = `http://127.0.0.1:${port}/`;
  await eventually("the raw server answers", async () => (await fetch(url).catch(() => undefined))?.ok || undefined);
  return {
    url,
    stop() {
      raw.kill();
      removeDirectory(copy);
    },
  };
}

/** Rounds of `path` answered by the product, and of the same rows from bare Hono; `check` rejects a wrong response. */
export async function pageAgainstQuery(
  { databaseUrl, dataDir }: Place,
  { statements, query, rows }: Filling,
  { path, requests, check }: { path: string; requests: number; check: (answer: unknown) => boolean },
): Promise<Pair[]> {
  const env = { BILLING: "off", BREACH_SOURCE: "bundled", ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
  const empty = await startProduct(env, dataDir);
  const client = await signIn(empty.url, EMAIL, async () => {
    const [mail] = await mailbox(empty.url);
    return mail && codeIn(mail.text);
  });
  await eventually("the catalogue is there", () =>
    figureOf(empty.url, 'breachbell_source_synced_timestamp_seconds{source="bundled"}'),
  );
  await empty.stop();
  const accountId = await fill(databaseUrl, dataDir, statements);
  const raw = await rawServer(databaseUrl, dataDir, query, accountId);
  const product = await startProduct(env, dataDir);

  const flood = (url: string, cookie: string, isRight: (answer: unknown) => boolean) =>
    load({ callers: CONNECTIONS, requests }, async () => {
      const answer = await fetch(url, { headers: { Cookie: cookie } });
      if (!isRight(await answer.json())) throw new Error(`Not what was asked for: ${answer.status}`);
    });
  const ask = {
    product: () => flood(product.url + path, client.cookie(), check),
    raw: () => flood(raw.url, "", (answer) => (answer as { rows: unknown[] }).rows.length === rows),
  };
  await ask.product();
  await ask.raw();
  const samples: Pair[] = [];
  for (let i = 0; i < ROUNDS; i++) samples.push({ product: await ask.product(), raw: await ask.raw() });
  raw.stop();
  await product.stop();
  removeDirectory(dataDir);
  return samples;
}
