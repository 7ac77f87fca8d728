// The baseline of an account's pages: bare Hono and one hand-written statement.
import { PGlite } from "@electric-sql/pglite";
import { Hono } from "hono";
import postgres from "postgres";

const [port = "0", place = "", query = "", accountId = ""] = process.argv.slice(2);

async function asking(): Promise<() => Promise<unknown[]>> {
  if (place.startsWith("postgres")) {
    const sql = postgres(place, { max: 4 });
    return () => sql.unsafe(query, [accountId], { prepare: true });
  }
  const database = await PGlite.create(place);
  return async () => (await database.query(query, [accountId])).rows;
}

const ask = await asking();
const app = new Hono().get("/", async (c) => c.json({ rows: await ask() }));
Bun.serve({ hostname: "127.0.0.1", port: Number(port), fetch: app.fetch });
