import { expect, test } from "bun:test";
import type { Database } from "../../src/database/postgres.ts";
import { postgresTracking } from "../../src/tracking/adapters/postgres/store.ts";
import type { TrackingStore } from "../../src/tracking/ports.ts";
import { doneOrBlocked } from "../support/blocked.ts";
import { ALICE, anAssociation, BOB } from "../support/builders.ts";
import { emptyServer } from "../support/postgres.ts";

const ID = (last: number) => `a0000000-0000-4000-8000-00000000000${last}`;
const COUNTS = [1, 2].map((last) => ({ associationId: ID(last), open: last, version: 1 }));

/** Runs `first` to its middle, starts setOpenAlerts(), waits until it is done or blocked, and lets `first` continue. */
async function meetsOpenAlerts(first: (store: TrackingStore, middle: () => Promise<void>) => Promise<void>) {
  const database = await emptyServer();
  const transaction = database.transactionOf(postgresTracking);
  const plain = database.transactionOf((tx: Database) => tx);
  await transaction(async ({ associations }) => {
    await associations.lockAccount(ALICE.accountId);
    const [one, other] = [anAssociation({ id: ID(1) }), anAssociation({ id: ID(2), address: BOB.address })];
    await associations.addAll([one, other]);
  });
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const writing = transaction((store) =>
    first(store, () => {
      reached.resolve();
      return released.promise;
    }),
  );
  await reached.promise;
  const counting = transaction(({ associations }) => associations.setOpenAlerts(COUNTS));
  await doneOrBlocked(plain, counting);
  released.resolve();
  await Promise.all([writing, counting]);
  const all = await transaction(({ associations }) => associations.listByAccount(ALICE.accountId));
  return new Map(all.map(({ id, openAlerts, suspended }) => [id, { openAlerts, suspended }]));
}

test("setOpenAlerts() and a change of several associations of the account, in any order, do not deadlock", async () => {
  const after = await meetsOpenAlerts(async ({ associations }, middle) => {
    await associations.lockAccount(ALICE.accountId);
    await associations.setSuspended(ID(2), true);
    await middle();
    await associations.setSuspended(ID(1), true);
  });
  expect(after).toEqual(
    new Map([
      [ID(1), { openAlerts: 1, suspended: true }],
      [ID(2), { openAlerts: 2, suspended: true }],
    ]),
  );
});
