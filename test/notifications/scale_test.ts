import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Database } from "../../src/database/postgres.ts";
import { postgresNotifications } from "../../src/notifications/adapters/postgres/store.ts";
import { emptyServer } from "../support/postgres.ts";
import { readsOf } from "../support/reads.ts";
import { ALICE_ID, contact } from "./ledger.ts";
import { email } from "./post_office.ts";

test("of 10,000 contacts only the requested ones are read", async () => {
  const database = await emptyServer();
  await database.transactionOf(postgresNotifications)(({ contacts }) => contacts.add(contact("person@example.org")));
  await database.transactionOf((tx: Database) => tx)(async (tx) => {
    await tx.execute(sql`insert into notifications.contact select theirs.* from notifications.contact mine,
      generate_series(1, 10000) number, jsonb_populate_record(mine,
      jsonb_build_object('id', gen_random_uuid(), 'value', 'person' || number || '@example.org')) theirs`);
    await tx.execute(sql`analyze notifications.contact`);
  });
  const page = Array.from({ length: 25 }, (_, index) => email(`person${400 * (index + 1)}@example.org`));
  const work = async (tx: Database) => {
    const { contacts } = postgresNotifications(tx, { publish: async () => {} });
    expect(await contacts.listAt(ALICE_ID, page)).toHaveLength(25);
  };
  expect(await readsOf(database, { table: "contact", work })).toEqual({ sequential: 0, rows: 25 });
}, 60_000);
