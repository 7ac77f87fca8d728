import { describe, expect, test } from "bun:test";
import { FULL_SCOPE, NO_SCOPE } from "../../src/shared/consent.ts";
import { postgresTracking } from "../../src/tracking/adapters/postgres/store.ts";
import type { Association } from "../../src/tracking/association.ts";
import { memoryTracking } from "../memory/tracking/store.ts";
import { ALICE, anAssociation, BOB } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";
import { storeWith } from "../support/tracking.ts";

describe.each(eachDatabase(memoryTracking, postgresTracking))("own associations of TrackingStore on %s", (_, open) => {
  const storeOf = (...stored: Association[]) => storeWith(open, ...stored);

  test("listOwn() pages through the own associations of all accounts by id, and no others", async () => {
    const own = [ALICE, BOB].flatMap(({ accountId }) =>
      ["one", "two"].map((name) => anAssociation({ accountId, address: `${name}@example.org`, consent: "own" })),
    );
    const others = (["pending", "granted"] as const).map((consent) =>
      anAssociation({ consent, address: `${consent}@example.org` }),
    );
    const { transaction } = await storeOf(...own, ...others);
    const ids = own.map(({ id }) => id).toSorted();
    const page = async (after?: string) =>
      (await transaction(({ associations }) => associations.listOwn(after, 3))).map(({ id }) => id);
    expect(await page()).toEqual(ids.slice(0, 3));
    expect(await page(ids[2])).toEqual(ids.slice(3));
    expect(await page(ids[3])).toEqual([]);
  });

  test("prove() makes one the account's own, which no answer to a request can narrow any more", async () => {
    const asked = anAssociation({ owner: false, consent: "pending", scope: NO_SCOPE });
    const others = anAssociation({ accountId: BOB.accountId, consent: "pending", scope: NO_SCOPE });
    const { transaction, find } = await storeOf(asked, others);
    await transaction(({ associations }) => associations.prove(BOB.accountId, asked.id));
    expect(await find(asked)).toEqual(asked);
    await transaction(({ associations }) => associations.prove(asked.accountId, asked.id));
    const proven = { ...asked, owner: true, consent: "own", scope: FULL_SCOPE } as const;
    expect(await find(asked)).toEqual(proven);
    expect(await transaction(({ associations }) => associations.grant(asked.id, NO_SCOPE, 9))).toBeUndefined();
    expect(await find(asked)).toEqual(proven);
    expect(await find(others)).toEqual(others);
  });
});
