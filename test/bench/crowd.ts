import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type SQL, sql } from "drizzle-orm";
import { liveAdapters } from "../../src/adapters.ts";
import {
  IMPORTS,
  importFiles,
  requestPath,
  writeWhole,
} from "../../src/breaches/adapters/sources/dataset/import_files.ts";
import { compose } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import { rowsOf } from "../../src/database/logical_dump.ts";
import type { Database } from "../../src/database/postgres.ts";
import { runJobs } from "../../src/runtime/jobs.ts";
import { createLog } from "../../src/runtime/log.ts";
import { removeDirectory, temporaryDirectory } from "../e2e/product.ts";

const STEP = 5000;
const hashed = (algorithm: string, text: string) => createHash(algorithm).update(text).digest("hex");

export type Crowd = Awaited<ReturnType<typeof openCrowd>>;

/**
 * The whole product in this process, without its website, and `people` who each track their own, already checked
 * address.
 */
export async function openCrowd(
  databaseUrl: string | undefined,
  people: number,
  env: Record<string, string> = {},
  place = temporaryDirectory(),
) {
  const loaded = loadConfig(
    {
      DATA_DIR: place,
      DATABASE_URL: databaseUrl ?? "embedded",
      MAIL_FROM: "alerts@breachbell.example",
      BREACH_SOURCE: "dataset",
      BILLING: "off",
      BACKUP_AT: "off",
      SMTP_URL: "smtp://127.0.0.1:9",
      ...env,
    },
    (path) => readFileSync(path, "utf8"),
  );
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  const log = createLog("error", (line) => console.error(line));
  const { adapters, database, close } = await liveAdapters(loaded.config, log);
  const product = compose({ ...adapters, webDirectory: undefined }, loaded.config);
  const plain = database.transactionOf((tx: Database) => tx);
  const ask = <Row>(query: SQL): Promise<Row[]> => plain((tx) => rowsOf<Row>(tx, query));
  for (let start = 0; start < people; start += STEP) await enrol(ask, start, Math.min(STEP, people - start));

  return {
    product,
    ask,
    plain,
    onPublished: database.onPublished,
    async count(query: SQL): Promise<number> {
      const [row] = await ask<{ count: number }>(query);
      return Number(row?.count);
    },
    /** A breach with the first `concerned` people, for the next run of the job `imports`. */
    async publish(concerned: number): Promise<void> {
      const id = crypto.randomUUID().replaceAll("-", "");
      const file = join(place, `${id}.csv`);
      const lines = Array.from(
        { length: concerned },
        (_, number) => `${hashed("sha1", `person${number}@example.org`)}\n`,
      );
      writeFileSync(file, lines.join(""));
      await importFiles(join(place, IMPORTS)).list();
      const { size, mtimeMs: modifiedAt } = statSync(file);
      const request = { id, file, size, modifiedAt, skipBad: false, breach: `Village Shop ${id}`, facts: {} };
      await writeWhole(requestPath(join(place, IMPORTS), id), request);
    },
    /** All jobs as the product runs them, until `stop`. */
    work() {
      const runner = runJobs(product.jobs, (error) => console.error(error));
      database.onPublished(() => runner.nudge("events"));
      product.dispatcher.onHandled(() => runner.nudge("deliver"));
      return {
        async stop(): Promise<void> {
          // A poll of the chat lasts 25 seconds.
          await product.notifications.stopPolling();
          await runner.stop();
        },
      };
    },
    /** Its directory is kept for the next step. */
    async close({ keep = false } = {}): Promise<void> {
      await close();
      if (!keep) removeDirectory(place);
    },
  };
}

/** Accounts with their verified address, monitored and alerted by mail, as the modules store them. */
async function enrol(ask: <Row>(query: SQL) => Promise<Row[]>, start: number, count: number): Promise<void> {
  const people = Array.from({ length: count }, (_, index) => {
    const email = `person${start + index}@example.org`;
    const hashes = { sha1: hashed("sha1", email), sha256: hashed("sha256", email) };
    return { email, ...hashes, account: crypto.randomUUID(), association: crypto.randomUUID() };
  });
  const person = sql`json_to_recordset(${JSON.stringify(people)}::text::json)
    as person(email text, sha1 text, sha256 text, account uuid, association uuid)`;
  await ask(sql`insert into identity.users
    (id, email, first_name, last_name, language, password_hash, created_at, verified_at)
    select account, email, 'Grace', 'Meyer', 'en', 'none', now(), now() from ${person}`);
  await ask(sql`insert into tracking.association
    (id, account_id, address, owner, language, contacts, paused, suspended, open_alerts, open_version, created_at)
    select association, account, email, true, 'en',
      jsonb_build_array(jsonb_build_object('channel', 'email', 'value', email)), false, false, 0, 0, now() from ${person}`);
  await ask(sql`insert into notifications.contact
    (id, account_id, channel, value, language, state, confirmed_at, created_at, version)
    select gen_random_uuid(), account, 'email', email, 'en', 'active', now(), now(), 1 from ${person}`);
  await ask(sql`insert into breaches.watch (association_id, account_id, address, sha1, sha256, baseline_at)
    select association, account, email, sha1, sha256, now() from ${person}`);
  await ask(sql`insert into breaches.scan (address, source, due_at, checked_at)
    select email, 'dataset', now() + interval '7 days', now() from ${person}`);
}
