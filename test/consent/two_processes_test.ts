import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import {
  fetched,
  loadRows,
  settleSequences,
  settleTexts,
  type TableFacts,
  tablesOf,
} from "../../src/database/logical_dump.ts";
import type { Database, PostgresDatabase } from "../../src/database/postgres.ts";
import { postgresEvents, postgresOutbox } from "../../src/events/adapters/postgres/outbox.ts";
import type { EventPublisher } from "../../src/events/catalogue.ts";
import { postgresInvitations } from "../../src/invitations/adapters/postgres/store.ts";
import type { Transaction } from "../../src/shared/transaction.ts";
import { postgresTracking } from "../../src/tracking/adapters/postgres/store.ts";
import { HISTORIES_MS, histories } from "../support/histories.ts";
import { emptyServer, neighbourOnServer } from "../support/postgres.ts";
import { historiesWorld, type Mishap, surroundings } from "./histories_world.ts";
import { history, nothingSeen, playOut, type Step } from "./history_steps.ts";

/** Steps that change the environment or the expected result: run one after the other. */
const ALONE: Step[0][] = [
  ...(["expose", "sensitive", "wait", "plan", "move"] as const),
  ...(["delete", "return", "arrive", "leave", "older", "backup", "restore"] as const),
];

/** All other steps run in pairs: with the next step, or with the background jobs of the other process. */
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

const CONCERNED = /^(tracking|invitations|breaches|events)\./;
type Rows = { table: TableFacts; batches: string[][] }[];

/** All rows used by the histories, as a backup reads them, and restored as by a restore. */
async function rowsNow(tx: Database): Promise<Rows> {
  await settleTexts(tx);
  const kept: Rows = [];
  for (const table of await tablesOf(tx))
    if (CONCERNED.test(table.name)) kept.push({ table, batches: await Array.fromAsync(fetched(tx, table)) });
  return kept;
}
async function putBack(tx: Database, kept: Rows): Promise<void> {
  await settleTexts(tx);
  await tx.execute(sql.raw(`truncate ${kept.map(({ table }) => table.name).join()} cascade`));
  for (const { table, batches } of kept) for (const batch of batches) await loadRows(tx, table, batch);
  await settleSequences(tx);
}

async function twoProcesses(mishaps: Mishap[]) {
  const around = surroundings();
  const { now } = around.clock;
  const storesOn = (database: PostgresDatabase) => {
    const plain = database.transactionOf((tx: Database) => tx);
    // Published events become due by the test's clock.
    const bound =
      <Store>(bind: (tx: Database, events: EventPublisher) => Store): Transaction<Store> =>
      (work) =>
        plain((tx) => work(bind(tx, postgresEvents(tx, now))));
    return {
      tracking: bound(postgresTracking),
      invitations: bound(postgresInvitations),
      breaches: bound(postgresBreaches),
      outbox: postgresOutbox(plain),
      backup: () => plain(rowsNow).then((rows) => () => plain((tx) => putBack(tx, rows))),
    };
  };
  const one = historiesWorld(mishaps, storesOn(await emptyServer()), around);
  const other = historiesWorld(mishaps, storesOn(await neighbourOnServer()), around);
  return [one, other] as const;
}

test(
  "two concurrent processes on one Postgres always end in a consistent state",
  async () => {
    const seen = nothingSeen();
    await fc.assert(
      fc.asyncProperty(history, async ({ steps, mishaps }) => {
        await playOut([...(await twoProcesses([...mishaps]))], turnsOf(steps), seen);
      }),
      histories(5, 250),
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  },
  HISTORIES_MS,
);
