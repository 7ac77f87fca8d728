import { describe, expect, test } from "bun:test";
import type { AlertSort } from "../../src/shared/alert.ts";
import { breachWorld } from "../support/breaches.ts";
import { ALICE, aBreach } from "../support/builders.ts";

const STRANGER = "00000000-0000-7000-8000-00000000000f";
const classes = ["Email addresses", "Passwords"];
const grave = aBreach({ name: "Grave", dataClasses: [...classes, "Credit cards"] });
const plain = aBreach({ name: "Plain", dataClasses: ["Email addresses"] });

async function world() {
  const world = breachWorld({ breaches: [grave, plain], exposures: { [ALICE.address]: ["Grave", "Plain"] } });
  await world.breaches.syncCatalogue();
  await world.watch(ALICE);
  await world.breaches.scanDue();
  const list = async (sort: AlertSort = "seriousness") => {
    const page = await world.breaches.listAlerts(ALICE.accountId, { state: "all", search: "", page: 1, sort });
    return page.ok ? page.value.items : [];
  };
  const idOf = async (name: string) => (await list()).find(({ breach }) => breach?.name === name)?.id ?? "";
  return { ...world, list, id: await idOf("Grave") };
}

describe("notePasswordChange()", () => {
  test("since the breach completes the step to change the password", async () => {
    const { breaches, list, id } = await world();
    expect(await breaches.notePasswordChange(ALICE.accountId, id, { changed: "after" })).toEqual({
      ok: true,
      value: { steps: ["password"], changedSince: "after" },
    });
    expect(await list()).toContainEqual(expect.objectContaining({ id, steps: ["password"], changedSince: "after" }));
  });

  test("another answer takes that back, but not what was ticked by hand", async () => {
    const { breaches, id } = await world();
    const answer = (changed: "before" | "after" | "unknown") =>
      breaches.notePasswordChange(ALICE.accountId, id, { changed });
    await answer("after");
    expect(await answer("before")).toMatchObject({ value: { steps: [], changedSince: "before" } });
    await breaches.tickStep(ALICE.accountId, id, { step: "password", done: true });
    expect(await answer("unknown")).toMatchObject({ value: { steps: ["password"], changedSince: "unknown" } });
  });

  test("a breach that is older than the password is the least severe", async () => {
    const { breaches, list, id } = await world();
    const names = async () => (await list()).map(({ breach }) => breach?.name);
    expect(await names()).toEqual(["Grave", "Plain"]);
    await breaches.notePasswordChange(ALICE.accountId, id, { changed: "after" });
    expect(await names()).toEqual(["Plain", "Grave"]);
    await breaches.notePasswordChange(ALICE.accountId, id, { changed: "before" });
    expect(await names()).toEqual(["Grave", "Plain"]);
  });

  test("is refused for another's alert, and where the owner shares no details", async () => {
    const { breaches, id, watch } = await world();
    expect(await breaches.notePasswordChange(STRANGER, id, { changed: "after" })).toEqual({
      ok: false,
      code: "NOT_FOUND",
    });
    await watch({ accountId: STRANGER, address: ALICE.address, scope: { details: false, sensitive: true } });
    await breaches.scanDue();
    const page = await breaches.listAlerts(STRANGER, { state: "all", search: "", page: 1 });
    for (const alert of page.ok ? page.value.items : []) {
      expect(alert).toMatchObject({ breach: null, changedSince: null });
      expect(await breaches.notePasswordChange(STRANGER, alert.id, { changed: "after" })).toMatchObject({ ok: false });
    }
    expect(page.ok && page.value.items).toHaveLength(2);
  });
});
