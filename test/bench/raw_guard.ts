// The baseline of the session check: bare Hono, the same session lookup with the same driver.
import { createHash } from "node:crypto";
import { PGlite } from "@electric-sql/pglite";
import { and, eq, gt } from "drizzle-orm";
import { pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { drizzle as drizzlePglite } from "drizzle-orm/pglite";
import { drizzle as drizzlePostgres } from "drizzle-orm/postgres-js";
import { Hono } from "hono";
import { getCookie } from "hono/cookie";
import postgres from "postgres";

const [port = "0", token = "", databaseUrl = ""] = process.argv.slice(2);
const sessions = pgTable("raw_session", {
  tokenHash: text("token_hash").primaryKey(),
  accountId: uuid("account_id").notNull(),
  level: text("level").notNull(),
  expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
});
const hash = (value: string) => createHash("sha256").update(value).digest("hex");

const database = databaseUrl === "" ? drizzlePglite(new PGlite()) : drizzlePostgres(postgres(databaseUrl, { max: 4 }));
await database.execute(
  "create table if not exists raw_session (token_hash text primary key, account_id uuid not null, level text not null, expires_at timestamptz not null)",
);
const tomorrow = new Date(Date.now() + 86_400_000);
await database
  .insert(sessions)
  .values({ tokenHash: hash(token), accountId: crypto.randomUUID(), level: "authenticated", expiresAt: tomorrow })
  .onConflictDoNothing();

const app = new Hono().get("/", async (c) => {
  const living = and(eq(sessions.tokenHash, hash(getCookie(c, "session") ?? "")), gt(sessions.expiresAt, new Date()));
  const [session] = await database.select().from(sessions).where(living);
  return c.json({ auth_level: session?.level ?? "unauthenticated" });
});
Bun.serve({ hostname: "127.0.0.1", port: Number(port), fetch: app.fetch });
console.log("ready");
