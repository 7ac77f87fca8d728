import { describe, expect, test } from "bun:test";
import type { TermsAcceptance } from "../../src/identity/account/terms_ports.ts";
import { postgresIdentity } from "../../src/identity/adapters/postgres/store.ts";
import { after, freshStore, NOW } from "../identity/rows.ts";
import { memoryIdentity } from "../memory/identity/store.ts";
import { eachDatabase } from "../support/postgres.ts";

describe.each(eachDatabase(memoryIdentity, postgresIdentity))(
  "the accepted terms of IdentityStore on %s",
  (_, open) => {
    const { within, alice } = freshStore(open);
    const add = (acceptance: TermsAcceptance) => within(({ acceptances }) => acceptances.add(acceptance));
    const list = (accountId: string) => within(({ acceptances }) => acceptances.list(accountId));

    test("list() returns what add() stored, newest first, for one account", async () => {
      const { id: accountId } = await alice();
      const { id: other } = await alice({ email: "bob@example.com" });
      const first = { accountId, version: "1.0", acceptedAt: NOW };
      const second = { accountId, version: "2.0", acceptedAt: after(1) };
      for (const one of [first, second, { ...first, accountId: other }]) expect(await add(one)).toBe(true);
      expect(await list(accountId)).toEqual([second, first]);
      expect(await list(crypto.randomUUID())).toEqual([]);
    });

    test("add() succeeds once per version, even if many are concurrent, and the first time is kept", async () => {
      const { id: accountId } = await alice();
      const tries = Array.from({ length: 10 }, (_, ms) => add({ accountId, version: "2.0", acceptedAt: after(ms) }));
      const won = await Promise.all(tries);
      expect(won.filter((one) => one)).toHaveLength(1);
      expect(await list(accountId)).toEqual([{ accountId, version: "2.0", acceptedAt: after(won.indexOf(true)) }]);
    });

    test("remove() of the account deletes them, and a rolled back transaction leaves nothing", async () => {
      const { id: accountId } = await alice();
      const acceptance = { accountId, version: "2.0", acceptedAt: NOW };
      const broken = within(async ({ acceptances }) => {
        await acceptances.add(acceptance);
        throw new Error("Broken on purpose");
      });
      expect(broken).rejects.toThrow("Broken on purpose");
      expect(await list(accountId)).toEqual([]);
      await add(acceptance);
      expect(await within(({ users }) => users.remove(accountId))).toBe(true);
      expect(await list(accountId)).toEqual([]);
    });
  },
);
