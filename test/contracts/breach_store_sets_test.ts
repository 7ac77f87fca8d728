import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { addressHashes } from "../../src/breaches/adapters/sources/dataset/address_hashes.ts";
import type { BreachStore } from "../../src/breaches/ports.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import type { Transaction } from "../../src/shared/transaction.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { ALICE, aBreach, BOB, CHARLIE } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 1) + ms);
const sha1 = ({ address }: { address: string }) => addressHashes(address).sha1;
const sha256 = ({ address }: { address: string }) => addressHashes(address).sha256;
const idOf = (who: number) => `00000000-0000-4000-8000-00000000000${who}`;

async function watch(transaction: Transaction<BreachStore>, ...people: (typeof ALICE)[]) {
  await transaction(async ({ watches }) => {
    for (const [index, person] of people.entries())
      await watches.add({ associationId: idOf(index + 1), ...person, ...FULL_SCOPE });
  });
}

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("BreachStore's exposures on %s", (_, open) => {
  async function opened() {
    const { transaction } = await open();
    return {
      transaction,
      found: (address: string) =>
        transaction(async ({ alerts }) =>
          Object.fromEntries(
            (await alerts.listExposures(address, 99)).map((row) => [row.breachName, row.sources.toSorted()]),
          ),
        ),
      match: (source: string, ...findings: { hash: string; breachName: string }[]) =>
        transaction(({ exposures }) => exposures.match(source, findings, at(5))),
      expose: (source: string, address: string, ...names: string[]) =>
        transaction(({ alerts }) => alerts.addMissing([{ address, breachNames: names }], at(1), source)),
    };
  }

  test("addMissing() adds each source once for many addresses together", async () => {
    const { transaction, expose, found } = await opened();
    await watch(transaction, ALICE);
    await expose("hibp", ALICE.address, "Adobe", "Canva");
    for (const source of ["other", "other", "hibp", undefined])
      await transaction(({ alerts }) =>
        alerts.addMissing(
          [
            { address: BOB.address, breachNames: ["Suno", "Suno"] },
            { address: ALICE.address, breachNames: ["Adobe"] },
          ],
          at(2),
          source,
        ),
      );
    await transaction(({ alerts }) => alerts.addMissing([{ address: ALICE.address, breachNames: [] }], at(2), "other"));
    expect(await transaction(({ alerts }) => alerts.addMissing([], at(2), "other"))).toEqual([]);
    expect(await found(ALICE.address)).toEqual({ Adobe: ["hibp", "other"], Canva: ["hibp"] });
    expect(await found(BOB.address)).toEqual({ Suno: ["hibp", "other"] });
    expect(await transaction(({ alerts }) => alerts.listExposures(ALICE.address, 9))).toEqual(
      expect.arrayContaining([{ breachName: "Adobe", foundAt: at(1), sources: ["hibp", "other"] }]),
    );
  });

  test("match() finds monitored addresses by either hash, and nothing else", async () => {
    const { transaction, match, found } = await opened();
    await watch(transaction, ALICE, BOB);
    const findings = [
      { hash: sha1(ALICE), breachName: "Adobe" },
      { hash: sha256(BOB), breachName: "Adobe" },
      { hash: sha256(BOB), breachName: "Canva" },
      { hash: sha256(CHARLIE), breachName: "Adobe" },
    ];
    expect(await match("dataset", ...findings)).toEqual([ALICE.address, BOB.address]);
    expect(await found(ALICE.address)).toEqual({ Adobe: ["dataset"] });
    expect(await found(BOB.address)).toEqual({ Adobe: ["dataset"], Canva: ["dataset"] });
    expect(await found(CHARLIE.address)).toEqual({});
    expect(await match("dataset", ...findings)).toEqual([]);
    expect(await match("push", { hash: sha1(ALICE), breachName: "Adobe" })).toEqual([ALICE.address]);
    expect(await found(ALICE.address)).toEqual({ Adobe: ["dataset", "push"] });
    expect(await match("push")).toEqual([]);
  });

  test("match() returns an address once that is in twice, by both its hashes", async () => {
    const { transaction, match } = await opened();
    await watch(transaction, ALICE, { ...BOB, address: ALICE.address });
    const findings = [sha1(ALICE), sha256(ALICE), sha1(ALICE)].map((hash) => ({ hash, breachName: "Adobe" }));
    expect(await match("dataset", ...findings)).toEqual([ALICE.address]);
    const raised = await transaction(({ alerts }) =>
      alerts.addMissing([{ address: ALICE.address, breachNames: [] }], at(6)),
    );
    expect(raised.map(({ associationId }) => associationId).toSorted()).toEqual([idOf(1), idOf(2)]);
    expect(
      await transaction(({ alerts }) => alerts.addMissing([{ address: ALICE.address, breachNames: [] }], at(7))),
    ).toEqual([]);
    expect(await transaction(({ alerts }) => alerts.addMissing([], at(7)))).toEqual([]);
  });

  test("match() by ten concurrent callers raises nothing twice", async () => {
    const { transaction } = await opened();
    await watch(transaction, ALICE, BOB);
    const findings = [ALICE, BOB].map((who) => ({ hash: sha256(who), breachName: "Adobe" }));
    const raised = await Promise.all(
      Array.from({ length: 10 }, () =>
        transaction(async ({ exposures, alerts }) =>
          alerts.addMissing(
            (await exposures.match("push", findings, at(1))).map((address) => ({ address, breachNames: [] })),
            at(1),
          ),
        ),
      ),
    );
    expect(
      raised
        .flat()
        .map(({ address }) => address)
        .toSorted(),
    ).toEqual([ALICE.address, BOB.address]);
  });

  test("mergeLinked() moves exposures and alerts to the primary entry, and keeps one alert of two", async () => {
    const { transaction, expose, found } = await opened();
    await watch(transaction, ALICE, BOB, CHARLIE);
    await expose("hibp", ALICE.address, "Adobe");
    await expose("a", ALICE.address, "a:Adobe");
    await expose("a", BOB.address, "a:Adobe");
    await expose("b", BOB.address, "b:Adobe");
    await expose("hibp", CHARLIE.address, "Canva");
    const names = ["Adobe", "Canva", "a:Adobe", "b:Adobe"];
    const list = names.map((name) => ({ breach: aBreach({ name }), hash: name }));
    await transaction(({ breaches }) => breaches.put("any", list, at(0)));
    expect(await transaction(({ exposures }) => exposures.mergeLinked())).toEqual([]);
    await transaction(async ({ breaches }) => {
      await breaches.link("b:Adobe", "a:Adobe");
      await breaches.link("a:Adobe", "Adobe");
      expect(await breaches.canonical([...names, "Unknown"])).toEqual(
        new Map(
          Object.entries({
            Adobe: "Adobe",
            Canva: "Canva",
            "a:Adobe": "Adobe",
            "b:Adobe": "Adobe",
            Unknown: "Unknown",
          }),
        ),
      );
      expect(await breaches.count()).toBe(2);
      expect((await breaches.listAlike()).map(({ name, sameAs }) => [name, sameAs]).toSorted()).toEqual(
        names.map((name) => [name, name.includes(":") ? "Adobe" : undefined]),
      );
    });
    expect(await transaction(({ exposures }) => exposures.mergeLinked())).toEqual([idOf(1), idOf(2)]);
    expect(await found(ALICE.address)).toEqual({ Adobe: ["a", "hibp"] });
    expect(await found(BOB.address)).toEqual({ Adobe: ["a", "b"] });
    expect(await found(CHARLIE.address)).toEqual({ Canva: ["hibp"] });
    for (const [index, person] of [ALICE, BOB].entries()) {
      const all = await transaction(({ alerts }) => alerts.listByAssociation(idOf(index + 1), at(0), 9));
      expect(all.map(({ breachName, address }) => [breachName, address])).toEqual([["Adobe", person.address]]);
    }
    expect(await transaction(({ exposures }) => exposures.mergeLinked())).toEqual([]);
  });

  test("put() stores a link", async () => {
    const { transaction } = await opened();
    const entry = { breach: aBreach({ name: "a:Adobe" }), hash: "1" };
    await transaction(async ({ breaches }) => {
      await breaches.put("a", [entry], at(0));
      await breaches.link("a:Adobe", "Adobe");
      await breaches.put("a", [{ ...entry, hash: "2" }], at(1));
      expect(await breaches.canonical(["a:Adobe"])).toEqual(new Map([["a:Adobe", "Adobe"]]));
    });
  });

  test("listBaselineIds() returns the alerts of the first check", async () => {
    const { transaction, expose } = await opened();
    await watch(transaction, ALICE);
    await expose("hibp", ALICE.address, "Adobe");
    await transaction(({ watches }) => watches.markBaselines([idOf(1)], at(2)));
    await expose("hibp", ALICE.address, "Canva");
    const [first] = await transaction(({ alerts }) => alerts.listByAssociation(idOf(1), at(0), 9)).then((all) =>
      all.filter(({ breachName }) => breachName === "Adobe"),
    );
    expect(await transaction(({ alerts }) => alerts.listBaselineIds([idOf(1), idOf(2)]))).toEqual(
      new Map([[idOf(1), [first?.id ?? ""]]]),
    );
    expect(await transaction(({ alerts }) => alerts.listBaselineIds([]))).toEqual(new Map());
  });
});
