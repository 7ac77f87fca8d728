import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { postgresBreaches } from "../../src/breaches/adapters/postgres.ts";
import type { Database, PostgresDatabase } from "../../src/database/postgres.ts";
import { rowsOf } from "../../src/database/snapshot.ts";
import { postgresEvents, postgresOutbox } from "../../src/events/adapters/postgres.ts";
import type { EventPublisher } from "../../src/events/catalogue.ts";
import { postgresInvitations } from "../../src/invitations/adapters/postgres.ts";
import type { Transaction } from "../../src/shared/transaction.ts";
import { postgresTracking } from "../../src/tracking/adapters/postgres.ts";
import { HISTORIES_MS, histories } from "../support/histories.ts";
import { emptyServer, neighbourOnServer } from "../support/postgres.ts";
import { historiesWorld, type Mishap, surroundings } from "./histories_world.ts";
import { history, nothingSeen, playOut, type Step } from "./history_steps.ts";

/** What the world itself does, and what changes what is expected in the end: one after the other. */
const ALONE: Step[0][] = [
  ...(["expose", "sensitive", "wait", "plan", "move"] as const),
  ...(["delete", "return", "arrive", "leave", "backup", "restore"] as const),
];

/** All else happens two at a time: with the step that follows, or with the background jobs of the other process. */
function turnsOf(steps: Step[]): Step[][] {
  const turns: Step[][] = [];
  const isAlone = (step: Step | undefined) => step === undefined || ALONE.includes(step[0]);
  for (let at = 0; at < steps.length; at++) {
    const [step, next] = steps.slice(at, at + 2);
    if (step === undefined || isAlone(step)) turns.push(step ? [step] : []);
    else if (isAlone(next)) turns.push([step, ["work"]]);
    else turns.push([step, steps[++at] ?? ["work"]]);
  }
  return turns;
}

const SCHEMAS = sql`('tracking', 'invitations', 'breaches', 'events')`;
type Rows = { name: string; rows: unknown }[];

/** All rows of all tables that the histories are about. */
async function rowsNow(tx: Database): Promise<Rows> {
  const tables = await rowsOf<{ name: string }>(
    tx,
    sql`select table_schema || '.' || quote_ident(table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema in ${SCHEMAS}`,
  );
  const kept: Rows = [];
  for (const { name } of tables) {
    const [found] = await rowsOf<{ rows: unknown }>(
      tx,
      sql.raw(`select coalesce(jsonb_agg(to_jsonb(t)), '[]') as rows from ${name} t`),
    );
    kept.push({ name, rows: found?.rows });
  }
  return kept;
}
async function putBack(tx: Database, kept: Rows): Promise<void> {
  await tx.execute(sql.raw(`truncate ${kept.map(({ name }) => name).join()} cascade`));
  for (const { name, rows } of kept)
    await tx.execute(
      sql`insert into ${sql.raw(name)} overriding system value select * from jsonb_populate_recordset(null::${sql.raw(name)}, ${JSON.stringify(rows)}::jsonb)`,
    );
}

async function twoProcesses(mishaps: Mishap[]) {
  const around = surroundings();
  const { now } = around.clock;
  const storesOn = (database: PostgresDatabase) => {
    const plain = database.transactionOf((tx: Database) => tx);
    // What is published is due by the clock of the test.
    const bound =
      <Store>(bind: (tx: Database, events: EventPublisher) => Store): Transaction<Store> =>
      (work) =>
        plain((tx) => work(bind(tx, postgresEvents(tx, now))));
    return {
      ...{ tracking: bound(postgresTracking), invitations: bound(postgresInvitations) },
      ...{ breaches: bound(postgresBreaches), outbox: postgresOutbox(plain) },
      backup: () => plain(rowsNow).then((rows) => () => plain((tx) => putBack(tx, rows))),
    };
  };
  const one = historiesWorld(mishaps, storesOn(await emptyServer()), around);
  const other = historiesWorld(mishaps, storesOn(await neighbourOnServer()), around);
  return [one, other] as const;
}

test(
  "what two processes do at once on one Postgres agrees in the end, whatever it was",
  async () => {
    const seen = nothingSeen();
    await fc.assert(
      fc.asyncProperty(history, async ({ steps, mishaps }) => {
        await playOut([...(await twoProcesses([...mishaps]))], turnsOf(steps), seen);
      }),
      histories(8, 250),
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  },
  HISTORIES_MS,
);
