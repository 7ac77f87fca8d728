import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { ALICE, BOB } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";

const NOW = new Date("2026-11-20T12:00:00.123Z");

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("BreachStore's names of leaks on %s", (_, open) => {
  test("listBreachNames() returns each breach of an account's own alerts for one address once, handled ones too", async () => {
    const { transaction } = await open();
    await transaction(async ({ watches, alerts }) => {
      for (const watch of [ALICE, ALICE, BOB, { ...ALICE, address: "other@example.com" }])
        await watches.add({ associationId: crypto.randomUUID(), ...watch, ...FULL_SCOPE });
      await alerts.addMissing([{ address: BOB.address, breachNames: ["Suno"] }], NOW);
      await alerts.addMissing([{ address: "other@example.com", breachNames: ["Zara"] }], NOW);
      const raised = await alerts.addMissing([{ address: ALICE.address, breachNames: ["Adobe", "Canva"] }], NOW);
      expect(raised).toHaveLength(4);
      await alerts.transition(raised, { state: "handled", reason: undefined, note: undefined, at: NOW });
      const names = async (accountId: string, address: string) =>
        (await alerts.listBreachNames(accountId, address)).toSorted();
      expect(await names(ALICE.accountId, ALICE.address)).toEqual(["Adobe", "Canva"]);
      expect(await names(BOB.accountId, ALICE.address)).toEqual([]);
      expect(await names(BOB.accountId, BOB.address)).toEqual(["Suno"]);
      expect(await names(ALICE.accountId, "nobody@example.com")).toEqual([]);
    });
  });
});
