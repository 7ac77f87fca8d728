import { describe, expect, test } from "bun:test";
import { createBreaches } from "../../src/breaches/mod.ts";
import type { ConsentScope } from "../../src/shared/consent.ts";
import { adobe, breachWorld } from "../support/breaches.ts";
import { ALICE, aBreach, accepted, BOB } from "../support/builders.ts";

const secret = aBreach({ name: "Affairs", flags: ["sensitive"], addedDate: "2020-01-01T00:00:00Z" });
const bobs = { accountId: BOB.accountId, address: ALICE.address };
const ALL = { state: "all", search: "", page: 1 } as const;

/** Bob tracks Alice's address, which is in the Adobe breach and in a sensitive one. */
async function bobSees(scope: ConsentScope) {
  const exposures = { [ALICE.address]: ["Adobe", "Affairs"] };
  const world = breachWorld({ breaches: [adobe, secret], exposures });
  await world.breaches.syncCatalogue();
  const associationId = await world.watch({ ...bobs, scope });
  await world.breaches.scanDue();
  const list = async (search = "") =>
    accepted(await world.breaches.listAlerts(BOB.accountId, { ...ALL, search })).items;
  const change = (changed: ConsentScope) =>
    world.breaches.onScopeChanged({ type: "tracking.scopeChanged", associationId, ...bobs, scope: changed });
  return { ...world, associationId, list, change };
}

describe("The scope granted by an owner", () => {
  test.each([
    [{ details: true, sensitive: true }, ["Adobe", "Affairs"]],
    [{ details: true, sensitive: false }, ["Adobe"]],
    [{ details: false, sensitive: true }, [undefined, undefined]],
    [{ details: false, sensitive: false }, [undefined]],
  ])("%p shows %p", async (scope, names) => {
    const { list, published, breaches } = await bobSees(scope);
    const items = await list();
    expect(items.map(({ breach }) => breach?.name).toSorted()).toEqual(names);
    const [changed] = (await published()).filter(({ type }) => type === "breaches.openAlertsChanged");
    expect(changed).toMatchObject({ counts: [{ open: names.length }] });
    const facts = await breaches.factsOfAlerts(items.map(({ id }) => id));
    expect(facts.map(({ breach }) => breach?.name).toSorted()).toEqual(names);
    for (const { id } of items) expect(accepted(await breaches.showAlert(BOB.accountId, id)).id).toBe(id);
  });

  test("without details prevents searches from revealing the breach", async () => {
    const { list } = await bobSees({ details: false, sensitive: true });
    expect(await list("adobe")).toEqual([]);
    expect(await list("alice")).toHaveLength(2);
    const told = (await list()).map(({ id: _, associationId: __, ...rest }) => rest);
    expect(JSON.stringify(told)).not.toMatch(/adobe|affairs|2013|password/i);
  });

  test("narrowed hides alerts immediately, including in pending messages", async () => {
    const { list, change, breaches, publishedOf } = await bobSees({ details: true, sensitive: true });
    const ids = (await list()).map(({ id }) => id);
    await publishedOf("breaches.openAlertsChanged");
    await change({ details: false, sensitive: false });
    expect((await list()).map(({ breach }) => breach)).toEqual([null]);
    expect((await breaches.factsOfAlerts(ids)).map(({ breach }) => breach)).toEqual([null]);
    expect(await publishedOf("breaches.openAlertsChanged")).toMatchObject([{ counts: [{ open: 1 }] }]);
  });

  test("widened raises an alert once for what was held back", async () => {
    const { list, change, breaches, publishedOf } = await bobSees({ details: true, sensitive: false });
    await publishedOf("breaches.alertsRaised");
    await change({ details: true, sensitive: true });
    expect(await breaches.scanDue()).toMatchObject({ raised: 1 });
    expect((await list()).map(({ breach }) => breach?.name).toSorted()).toEqual(["Adobe", "Affairs"]);
    expect(await publishedOf("breaches.alertsRaised")).toHaveLength(1);
    await change({ details: true, sensitive: true });
    expect(await breaches.scanDue()).toMatchObject({ raised: 0 });
  });

  test("prevents a hidden alert from being handled", async () => {
    const { list, change, breaches } = await bobSees({ details: true, sensitive: true });
    const affair = (await list()).find(({ breach }) => breach?.name === "Affairs");
    await change({ details: true, sensitive: false });
    expect(await breaches.handleAlert(BOB.accountId, affair?.id ?? "", 1)).toMatchObject({ code: "NOT_FOUND" });
    expect(await breaches.showAlert(BOB.accountId, affair?.id ?? "")).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("showMonitoring()", () => {
  const about = {
    associationId: crypto.randomUUID(),
    status: "breached",
    since: new Date("2026-11-01T00:00:00Z"),
  } as const;

  test("shows the tracking account the alerts within the scope", async () => {
    const scope = { details: true, sensitive: false };
    const { breaches, deps, associationId, clock } = await bobSees(scope);
    const monitored = { ...about, associationId, address: ALICE.address, managerId: BOB.accountId, scope };

    const asked = createBreaches({ ...deps, monitoringAccess: { of: async () => ({ ok: true, value: monitored }) } });
    const view = accepted(await asked.showMonitoring(BOB.accountId, ALICE.address));
    expect(view).toMatchObject({
      address: ALICE.address,
      associationId,
      managedBy: null,
      status: "breached",
      pending: 1,
      checkedAt: clock.now().toISOString(),
      since: "2026-11-01T00:00:00.000Z",
      findings: [{ state: "pending", version: 1, breach: { name: "Adobe" } }],
    });
    expect(view.nextCheckAt).not.toBeNull();
    expect(accepted(await breaches.listAlerts(BOB.accountId, ALL)).items[0]?.id).toBe(view.findings[0]?.alertId ?? "");
  });

  test("shows the owner of the address everything, who manages it, and nothing to handle", async () => {
    const { deps, associationId } = await bobSees({ details: false, sensitive: false });
    const scope = { details: true, sensitive: true };
    const monitored = { ...about, associationId, address: ALICE.address, managerId: BOB.accountId, scope };

    const asked = createBreaches({
      ...deps,
      monitoringAccess: { of: async () => ({ ok: true, value: monitored }) },
      people: { nameOf: async (id) => (id === BOB.accountId ? "Bob Rossi" : undefined) },
      accounts: { of: async () => undefined },
    });
    const view = accepted(await asked.showMonitoring(ALICE.accountId, ALICE.address));
    expect(view).toMatchObject({ associationId: null, managedBy: { name: "Bob Rossi" }, pending: 0 });
    expect(view.findings.map(({ breach, alertId, state }) => [breach?.name, alertId, state]).toSorted()).toEqual([
      ["Adobe", null, null],
      ["Affairs", null, null],
    ]);
  });

  test("returns why the caller may not see it", async () => {
    const { breaches } = breachWorld();
    expect(await breaches.showMonitoring(BOB.accountId, ALICE.address)).toEqual({
      ok: false,
      code: "MONITORING_NOT_AUTHORISED",
    });
  });
});
