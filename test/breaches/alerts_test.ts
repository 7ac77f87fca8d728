import { describe, expect, test } from "bun:test";
import { breachWorld } from "../support/breaches.ts";
import { ALICE, aBreach, accepted, BOB } from "../support/builders.ts";
import { DAY, HOUR } from "../support/clock.ts";

const adobe = aBreach({ name: "Adobe", flags: ["sensitive"] });
const canva = aBreach({ name: "Canva", title: "Canva 100%_off \\ Sale", addedDate: "2019-08-09T14:24:01Z" });
const ALL = { state: "all", search: "", page: 1 } as const;

async function worldOfAlice() {
  const world = breachWorld({ breaches: [adobe, canva], exposures: { [ALICE.address]: ["Adobe", "Canva"] } });
  await world.breaches.syncCatalogue();
  const associationId = await world.watch(ALICE);
  await world.breaches.scanDue();
  await world.published();
  const list = async (query: Partial<Parameters<typeof world.breaches.listAlerts>[1]> = {}) =>
    accepted(await world.breaches.listAlerts(ALICE.accountId, { ...ALL, ...query }));
  const idOf = async (name: string) => (await list()).items.find(({ breach }) => breach?.name === name)?.id ?? "";
  return { ...world, associationId, list, idOf };
}

describe("handleAlert() and reopenAlert()", () => {
  test("change an alert to handled and back, and return the number of pending ones", async () => {
    const world = await worldOfAlice();
    const { associationId } = world;
    const id = await world.idOf("Adobe");
    world.clock.pass(HOUR);
    const handled = accepted(await world.breaches.handleAlert(ALICE.accountId, id, 1));
    expect(handled).toMatchObject({ id, state: "handled", handledAt: "2026-11-20T13:00:00.000Z", version: 2 });
    const reopened = accepted(await world.breaches.reopenAlert(ALICE.accountId, id, 2));
    expect(reopened).toMatchObject({ id, state: "pending", handledAt: null, version: 3 });
    expect(accepted(await world.breaches.showAlert(ALICE.accountId, id))).toMatchObject(reopened);
    expect(await world.published()).toEqual([
      { type: "breaches.openAlertsChanged", counts: [{ associationId, open: 1, version: 2 }] },
      { type: "breaches.openAlertsChanged", counts: [{ associationId, open: 2, version: 3 }] },
    ]);
  });

  test("reject an outdated version, and change nothing", async () => {
    const world = await worldOfAlice();
    const id = await world.idOf("Adobe");
    const shown = accepted(await world.breaches.showAlert(ALICE.accountId, id));
    for (const version of [0, 2, -1]) {
      expect(await world.breaches.handleAlert(ALICE.accountId, id, version)).toEqual({
        ok: false,
        code: "ALERT_CHANGED",
      });
    }
    expect(accepted(await world.breaches.showAlert(ALICE.accountId, id))).toEqual(shown);
    expect(await world.published()).toEqual([]);
  });

  test("let one of ten concurrent changes succeed", async () => {
    const world = await worldOfAlice();
    const id = await world.idOf("Adobe");
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => world.breaches.handleAlert(ALICE.accountId, id, 1)),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await world.published()).toHaveLength(1);
  });

  test("find neither another account's alert nor an unknown one", async () => {
    const world = await worldOfAlice();
    const id = await world.idOf("Adobe");
    for (const unknown of [id, crypto.randomUUID()]) {
      const missing = { ok: false, code: "NOT_FOUND" } as const;
      expect(await world.breaches.showAlert(BOB.accountId, unknown)).toEqual(missing);
      expect(await world.breaches.handleAlert(BOB.accountId, unknown, 1)).toEqual(missing);
      expect(await world.breaches.reopenAlert(BOB.accountId, unknown, 1)).toEqual(missing);
    }
    expect(await world.alertsOf(ALICE.accountId)).toEqual(["Adobe pending", "Canva pending"]);
  });
});

describe("showAlert()", () => {
  test("returns the alert with its breach, without source-specific fields", async () => {
    const world = await worldOfAlice();
    const id = await world.idOf("Adobe");
    const { logoPath, modifiedDate } = adobe;
    const shown = accepted(await world.breaches.showAlert(ALICE.accountId, id));
    for (const own of [logoPath, modifiedDate]) expect(JSON.stringify(shown)).not.toContain(own);
    expect(shown).toEqual({
      id,
      associationId: world.associationId,
      address: ALICE.address,
      state: "pending",
      baseline: true,
      raisedAt: "2026-11-20T12:00:00.000Z",
      handledAt: null,
      reason: null,
      note: null,
      worsenedAt: null,
      changedSince: null,
      service: { domain: "adobe.example", changePassword: null, deletion: null, secondStep: null, passkeys: null },
      version: 1,
      steps: [],
      foundUnder: [],
      description: expect.any(String),
      disclosureUrl: null,
      attribution: null,
      changes: [],
      breach: {
        name: "Adobe",
        title: "Adobe",
        domain: "adobe.example",
        breachDate: "2013-10-04",
        addedDate: "2013-12-04T00:00:00Z",
        dataClasses: ["Email addresses", "Passwords"],
        flags: ["sensitive"],
        pwnCount: 152_445_165,
        passwordStorage: "unknown",
        manyServices: false,
        logo: null,
      },
      sources: ["memory"],
    });
  });
});

describe("listAlerts()", () => {
  test("lists an account's own alerts only", async () => {
    const world = await worldOfAlice();
    expect(accepted(await world.breaches.listAlerts(BOB.accountId, ALL))).toEqual({
      items: [],
      total: 0,
      page: 1,
      pageSize: 25,
      pending: 0,
    });
    expect(await world.list()).toMatchObject({ total: 2, pending: 2 });
  });

  test("filters by state, and counts all pending alerts regardless of the filter", async () => {
    const world = await worldOfAlice();
    await world.breaches.handleAlert(ALICE.accountId, await world.idOf("Adobe"), 1);
    const names = async (state: "all" | "pending" | "handled") => {
      const { items, pending } = await world.list({ state });
      expect(pending).toBe(1);
      return items.map(({ breach }) => breach?.name).toSorted();
    };
    expect(await names("all")).toEqual(["Adobe", "Canva"]);
    expect(await names("pending")).toEqual(["Canva"]);
    expect(await names("handled")).toEqual(["Adobe"]);
  });

  test("omits alerts that were handled 30 days ago, but never pending ones", async () => {
    const world = await worldOfAlice();
    const id = await world.idOf("Adobe");
    await world.breaches.handleAlert(ALICE.accountId, id, 1);
    world.clock.pass(30 * DAY - 1);
    expect(await world.list()).toMatchObject({ total: 2 });
    world.clock.pass(1);
    expect((await world.list()).items.map(({ breach }) => breach?.name)).toEqual(["Canva"]);
    expect(await world.list({ state: "handled" })).toMatchObject({ total: 0, items: [] });
    world.clock.pass(1000 * DAY);
    expect((await world.list()).items.map(({ breach }) => breach?.name)).toEqual(["Canva"]);
    await world.breaches.reopenAlert(ALICE.accountId, id, 2);
    expect(await world.list()).toMatchObject({ total: 2, pending: 2 });
  });

  test("searches the address and the breach's title, without wildcards", async () => {
    const world = await worldOfAlice();
    const found = async (search: string) =>
      (await world.list({ search })).items.map(({ breach }) => breach?.name).toSorted();
    expect(await found("alice@")).toEqual(["Adobe", "Canva"]);
    expect(await found("ALICE@EXAMPLE.COM")).toEqual(["Adobe", "Canva"]);
    expect(await found("adob")).toEqual(["Adobe"]);
    expect(await found("100%_off")).toEqual(["Canva"]);
    expect(await found("%")).toEqual(["Canva"]);
    expect(await found("_")).toEqual(["Canva"]);
    expect(await found("\\ s")).toEqual(["Canva"]);
    expect(await found("a%e")).toEqual([]);
    expect(await found("nothing")).toEqual([]);
  });

  test("returns pages of 25, newest first", async () => {
    const names = Array.from({ length: 60 }, (_, number) => `Breach${number}`);
    const world = breachWorld({ breaches: names.map((name) => aBreach({ name })) });
    await world.breaches.syncCatalogue();
    await world.watch(ALICE);
    for (const name of names) {
      world.feed.expose(ALICE.address, name);
      await world.breaches.scanDue();
      world.clock.pass(8 * DAY);
    }
    const page = async (number: number) => {
      const { items, ...rest } = accepted(await world.breaches.listAlerts(ALICE.accountId, { ...ALL, page: number }));
      expect(rest).toEqual({ total: 60, page: number, pageSize: 25, pending: 60 });
      return items.map(({ breach }) => breach?.name);
    };
    const newestFirst = names.toReversed();
    expect(await page(1)).toEqual(newestFirst.slice(0, 25));
    expect(await page(2)).toEqual(newestFirst.slice(25, 50));
    expect(await page(3)).toEqual(newestFirst.slice(50));
    expect(await page(4)).toEqual([]);
  });
});

describe("factsOfAlerts()", () => {
  test("returns what messages need, and omits deleted alerts", async () => {
    const world = await worldOfAlice();
    const [id, other] = [await world.idOf("Adobe"), await world.idOf("Canva")];
    await world.breaches.handleAlert(ALICE.accountId, id, 1);
    const facts = await world.breaches.factsOfAlerts([id, other, crypto.randomUUID()]);
    expect(facts).toHaveLength(2);
    expect(facts.find(({ alertId }) => alertId === id)).toMatchObject({
      alertId: id,
      associationId: world.associationId,
      accountId: ALICE.accountId,
      address: ALICE.address,
      state: "handled",
      raisedAt: "2026-11-20T12:00:00.000Z",
      breach: { name: "Adobe", dataClasses: ["Email addresses", "Passwords"] },
    });
    expect(await world.breaches.factsOfAlerts([])).toEqual([]);
  });
});
