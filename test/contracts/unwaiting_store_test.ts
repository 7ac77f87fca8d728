import { beforeEach, describe, expect, test } from "bun:test";
import { postgresIdentity } from "../../src/identity/adapters/postgres/store.ts";
import type { IdentityStore } from "../../src/identity/mod.ts";
import type { Transaction } from "../../src/shared/transaction.ts";
import { aCode, after, aSession, aUser, NOW } from "../identity/rows.ts";
import { emptyServer } from "../support/postgres.ts";

const LIMIT = { tries: 3, windowMs: 1000, lockMs: 0 };

// Only a server runs transactions in parallel; the other databases serialise them.
describe("IdentityStore on a server, while another transaction holds a row lock", () => {
  let transaction: Transaction<IdentityStore>;
  const user = aUser();
  const code = aCode(user.id);
  const [held, free] = [aSession(user.id, { createdAt: after(-2) }), aSession(user.id, { createdAt: after(-1) })];

  beforeEach(async () => {
    transaction = (await emptyServer()).transactionOf(postgresIdentity);
    await transaction(async ({ users, sessions, loginCodes, attempts }) => {
      await users.add(user);
      await loginCodes.save(code);
      for (const session of [held, free, aSession(user.id)]) await sessions.open(session, 100);
      for (const key of ["held", "free"]) await attempts.count(key, LIMIT, NOW);
    });
  });

  /** Runs `work` while another transaction has run `holding` and is still open. */
  async function whileOpen(
    holding: (store: IdentityStore) => Promise<unknown>,
    work: (store: IdentityStore) => Promise<void>,
  ) {
    const [isHeld, isDone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const other = transaction(async (store) => {
      await holding(store);
      isHeld.resolve();
      await isDone.promise;
    });
    await isHeld.promise;
    await transaction(work).finally(isDone.resolve);
    await other;
  }

  test("open() does not wait for a session that is being ended", async () => {
    await whileOpen(
      ({ sessions }) => sessions.remove(held.tokenHash),
      ({ sessions }) => sessions.open(aSession(user.id), 1),
    );
    expect(await transaction(({ sessions }) => sessions.list(user.id, NOW))).toHaveLength(1);
  });

  test("removeExpired() of sessions skips one that is in use", async () => {
    await whileOpen(
      ({ sessions }) => sessions.touch(held.id, NOW, after(9000)),
      ({ sessions }) => sessions.removeExpired(after(1000)),
    );
    const living = await transaction(({ sessions }) => sessions.list(user.id, NOW));
    expect(living.map(({ id }) => id)).toEqual([held.id]);
  });

  test("removeExpired() of codes skips one that is being verified", async () => {
    await whileOpen(
      ({ loginCodes }) => loginCodes.countTry(code.id, 5, NOW),
      ({ loginCodes }) => loginCodes.removeExpired(after(1000)),
    );
    expect((await transaction(({ loginCodes }) => loginCodes.find(code.id)))?.tries).toBe(1);
  });

  test("removeExpired() of counters skips one that is being incremented", async () => {
    await whileOpen(
      ({ attempts }) => attempts.count("held", LIMIT, after(500)),
      ({ attempts }) => attempts.removeExpired(after(1000)),
    );
    const tries = (key: string) =>
      transaction(async ({ attempts }) => (await attempts.count(key, LIMIT, after(600))).tries);
    expect([await tries("held"), await tries("free")]).toEqual([3, 1]);
  });
});
