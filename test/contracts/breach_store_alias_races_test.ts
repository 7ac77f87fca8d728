import { beforeEach, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import type { BreachStore } from "../../src/breaches/ports.ts";
import { watching } from "../../src/breaches/scanning/watching.ts";
import type { Database } from "../../src/database/postgres.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import type { Transaction } from "../../src/shared/transaction.ts";
import { doneOrBlocked } from "../support/blocked.ts";
import { breachWorld } from "../support/breaches.ts";
import { ALICE, aBreach } from "../support/builders.ts";
import { emptyServer } from "../support/postgres.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 1) + ms);
const [SHOP, NEWS] = ["alice+shop@example.com", "alice+news@example.com"];
const [ID, NEWS_ID] = [crypto.randomUUID(), crypto.randomUUID()];

let transaction: Transaction<BreachStore>;
let plain: Transaction<Database>;

beforeEach(async () => {
  const database = await emptyServer();
  transaction = database.transactionOf(postgresBreaches);
  plain = database.transactionOf((tx: Database) => tx);
  await transaction(async ({ watches, scans, breaches }) => {
    await breaches.put("hibp", [{ breach: aBreach({ name: "Adobe" }), hash: "Adobe" }], at(0));
    await watches.add({ associationId: ID, ...ALICE, ...FULL_SCOPE });
    await watches.markBaselines([ID], at(0));
    await watches.addAlias({ id: crypto.randomUUID(), associationId: ID, address: SHOP });
    await watches.addAlias({ id: NEWS_ID, associationId: ID, address: NEWS });
    await scans.add(NEWS, ["hibp"], at(0));
  });
});

const find = (address: string, source: string) => (store: BreachStore) =>
  store.alerts.addMissing([{ address, breachNames: ["Adobe"] }], at(1), source);
const variants = async () =>
  (await transaction(({ alerts }) => alerts.listByAssociation(ID, at(0), 9))).map((alert) => alert.variants);

/** Runs `first` up to its commit, starts `second`, waits until that is done or blocked, and commits. */
async function atOnce<One, Other>(first: (store: BreachStore) => Promise<One>, second: () => Promise<Other>) {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const one = transaction(async (store) => {
    const done = await first(store);
    reached.resolve();
    await released.promise;
    return done;
  });
  await reached.promise;
  const other = second();
  await doneOrBlocked(plain, other);
  released.resolve();
  return Promise.all([one, other]);
}

test("two sources that find one breach under two aliases name both", async () => {
  const [, told] = await atOnce(find(SHOP, "hibp"), () => transaction(find(NEWS, "other")));
  expect(await variants()).toEqual([[NEWS, SHOP]]);
  expect(told).toMatchObject([{ again: true }]);
});

test("two sources that find one breach under one alias tell of it once", async () => {
  await transaction(find(SHOP, "hibp"));
  const [one, other] = await atOnce(find(NEWS, "hibp"), () => transaction(find(NEWS, "other")));
  expect([...one, ...other]).toHaveLength(1);
});

test("an alias that is removed while it is found is not named", async () => {
  await transaction(find(SHOP, "hibp"));
  const remove = async ({ watches, alerts }: BreachStore) => {
    await watches.remove(NEWS_ID);
    await alerts.removeVariant(ID, NEWS);
  };
  await atOnce(remove, () => transaction(find(NEWS, "other")));
  expect(await variants()).toEqual([[SHOP]]);
});

test("the end of an alias and of another's watch of its address do not deadlock", async () => {
  const { onAliasStopped } = watching({ ...breachWorld().deps, transaction });
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // As the end of monitoring does: the removals of the address first, then its checks.
  const ending = transaction(async ({ watches, scans }) => {
    await watches.lockRemovals(NEWS);
    reached.resolve();
    await released.promise;
    await scans.remove([NEWS]);
  });
  await reached.promise;
  const about = { associationId: ID, accountId: ALICE.accountId, aliasId: NEWS_ID, address: NEWS };
  const stopping = onAliasStopped({ type: "tracking.aliasStopped", ...about });
  await doneOrBlocked(plain, stopping);
  released.resolve();
  await Promise.all([ending, stopping]);
  expect(await transaction(({ watches }) => watches.countAll(NEWS))).toBe(0);
});
