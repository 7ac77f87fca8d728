import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { ALICE } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute));
const CLEAR = { source: "hibp", form: "address" } as const;
const HASHED = { source: "hibp", form: "hash_prefix" } as const;
const BOB = "bob@example.com";

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("DisclosureRepository on %s", (_, open) => {
  test("note() counts per address, source and form, and list() shows the latest first", async () => {
    const { transaction } = await open();
    await transaction(async ({ disclosures }) => {
      await disclosures.note([ALICE.address, BOB, ALICE.address], CLEAR, at(0));
      await disclosures.note([ALICE.address], CLEAR, at(3));
      await disclosures.note([ALICE.address], HASHED, at(5));
      await disclosures.note([], HASHED, at(6));
    });
    await transaction(async ({ disclosures }) => {
      expect(await disclosures.list(ALICE.address)).toEqual([
        { ...HASHED, firstAt: at(5), lastAt: at(5), times: 1 },
        { ...CLEAR, firstAt: at(0), lastAt: at(3), times: 2 },
      ]);
      expect(await disclosures.list(BOB)).toEqual([{ ...CLEAR, firstAt: at(0), lastAt: at(0), times: 1 }]);
      expect(await disclosures.list("nobody@example.com")).toEqual([]);
    });
  });

  test("note() never moves the last time back", async () => {
    const { transaction } = await open();
    await transaction(({ disclosures }) => disclosures.note([BOB], CLEAR, at(5)));
    await transaction(({ disclosures }) => disclosures.note([BOB], CLEAR, at(1)));
    expect(await transaction(({ disclosures }) => disclosures.list(BOB))).toMatchObject([{ lastAt: at(5), times: 2 }]);
  });

  test("note() loses nothing under concurrency", async () => {
    const { transaction } = await open();
    const both = [ALICE.address, BOB];
    await Promise.all(
      Array.from({ length: 20 }, (_, place) =>
        transaction(({ disclosures }) => disclosures.note(place % 2 ? both : both.toReversed(), CLEAR, at(place))),
      ),
    );
    expect(await transaction(({ disclosures }) => disclosures.list(BOB))).toMatchObject([{ times: 20 }]);
  });

  test("removeUnwatched() keeps what somebody tracks", async () => {
    const { transaction } = await open();
    const left = await transaction(async ({ disclosures, watches }) => {
      await watches.add({ associationId: crypto.randomUUID(), ...ALICE, ...FULL_SCOPE });
      await disclosures.note([ALICE.address, BOB], CLEAR, at(0));
      await disclosures.removeUnwatched([ALICE.address, BOB]);
      return [await disclosures.list(ALICE.address), await disclosures.list(BOB)];
    });
    expect(left.map((list) => list.length)).toEqual([1, 0]);
  });
});
