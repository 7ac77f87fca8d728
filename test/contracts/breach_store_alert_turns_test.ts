import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import type { Alert, AlertTransition } from "../../src/breaches/ports.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { ALICE, BOB } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 1) + ms);
const handled = (more: Partial<AlertTransition> = {}): AlertTransition => ({
  state: "handled",
  reason: undefined,
  note: undefined,
  at: at(50),
  ...more,
});
const PENDING = handled({ state: "pending" });
const byName = <One extends Alert>(alerts: One[]) => alerts.toSorted((a, b) => (a.breachName < b.breachName ? -1 : 1));

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("BreachStore's handled alerts on %s", (_, open) => {
  /** Alice's alerts for these breaches, in their order. */
  async function alicesAlerts(...names: string[]) {
    const { transaction } = await open();
    const associationId = crypto.randomUUID();
    const raised = await transaction(async ({ watches, alerts }) => {
      await watches.add({ associationId, ...ALICE, ...FULL_SCOPE });
      return alerts.addMissing([{ address: ALICE.address, breachNames: names }], at(0));
    });
    const turn = (saw: Pick<Alert, "id" | "version">[], to: AlertTransition) =>
      transaction(async ({ alerts }) => byName(await alerts.transition(saw, to)));
    const tick = (id: string, name: string, done = true, accountId = ALICE.accountId) =>
      transaction(({ alerts }) => alerts.tick(accountId, id, { name, done }));
    const stored = () =>
      transaction(async ({ alerts }) =>
        byName(
          await alerts.findAll(
            ALICE.accountId,
            raised.map(({ id }) => id),
          ),
        ),
      );
    return { transaction, raised: byName(raised), turn, tick, stored };
  }

  test("turn() keeps the reason and the note until the alert is pending again", async () => {
    const { raised, turn, stored } = await alicesAlerts("Adobe", "Canva");
    const said = { reason: "password_changed", note: "Neues Passwort – «überall» 🔑" } as const;
    const [adobe, canva] = await turn(raised, handled(said));
    expect(adobe).toEqual({ ...raised[0], ...said, state: "handled", handledAt: at(50), version: 2 } as Alert);
    expect(canva).toMatchObject({ breachName: "Canva", ...said });
    expect(await stored()).toMatchObject([said, said]);
    expect(await turn([{ id: adobe?.id ?? "", version: 2 }], PENDING)).toEqual([{ ...raised[0], version: 3 } as Alert]);
    expect(await stored()).toMatchObject([{ reason: undefined, note: undefined, state: "pending" }, said]);
  });

  test("turn() changes the reason of a handled alert, and keeps its date", async () => {
    const { raised, turn } = await alicesAlerts("Adobe");
    await turn(raised, handled({ reason: "other" }));
    const [again] = await turn(
      raised.map(({ id }) => ({ id, version: 2 })),
      handled({ note: "Later", at: at(99) }),
    );
    expect(again).toMatchObject({ version: 3, handledAt: at(50), reason: undefined, note: "Later" });
  });

  test("turn() skips alerts with another version, and missing ones", async () => {
    const { raised, turn, stored } = await alicesAlerts("Adobe", "Canva", "Suno");
    const [adobe, canva, suno] = raised.map(({ id }) => id);
    await turn([{ id: canva ?? "", version: 1 }], handled());
    const wanted = [adobe, canva, suno, crypto.randomUUID()].map((id, place) => ({
      id: id ?? "",
      version: place === 2 ? 7 : 1,
    }));
    expect((await turn(wanted, handled({ at: at(60) }))).map(({ id }) => id)).toEqual([adobe ?? ""]);
    expect((await stored()).map(({ version, handledAt }) => [version, handledAt])).toEqual([
      [2, at(60)],
      [2, at(50)],
      [1, undefined],
    ]);
    expect(await turn([], handled())).toEqual([]);
  });

  test("turn() gives each of 40 alerts to one of ten callers who update them in opposite orders", async () => {
    const names = Array.from({ length: 40 }, (_, number) => `Breach${number}`);
    const { raised, turn, stored } = await alicesAlerts(...names);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, caller) => turn(caller % 2 ? raised : raised.toReversed(), handled())),
    );
    const won = answers.flat().map(({ id }) => id);
    expect(won.toSorted()).toEqual(raised.map(({ id }) => id).toSorted());
    expect((await stored()).every(({ version, state }) => version === 2 && state === "handled")).toBe(true);
  });

  test("findAll() finds the account's own alerts only", async () => {
    const { transaction, raised, stored } = await alicesAlerts("Adobe", "Canva");
    expect((await stored()).map(({ details }) => details)).toEqual([true, true]);
    const ids = [...raised.map(({ id }) => id), crypto.randomUUID()];
    expect(await transaction(({ alerts }) => alerts.findAll(BOB.accountId, ids))).toEqual([]);
    expect(await transaction(({ alerts }) => alerts.findAll(ALICE.accountId, []))).toEqual([]);
  });

  test("tick() keeps every concurrently ticked step, each once, and changes no version", async () => {
    const { raised, tick, stored } = await alicesAlerts("Adobe", "Canva");
    const [adobe] = raised.map(({ id }) => id);
    const names = Array.from({ length: 10 }, (_, number) => `step_${number}`);
    await Promise.all([...names, ...names].map((name) => tick(adobe ?? "", name)));
    const [ticked, other] = await stored();
    expect(ticked?.steps.toSorted()).toEqual(names);
    expect([ticked?.version, other?.steps]).toEqual([1, []]);
    expect(await tick(adobe ?? "", "step_3", false)).toEqual((ticked?.steps ?? []).filter((name) => name !== "step_3"));
    expect((await tick(adobe ?? "", "step_3"))?.at(-1)).toBe("step_3");
    expect(await tick(adobe ?? "", "never_ticked", false)).toHaveLength(10);
  });

  test("tick() does not find another account's alert", async () => {
    const { raised, tick, stored } = await alicesAlerts("Adobe");
    expect(await tick(raised[0]?.id ?? "", "password", true, BOB.accountId)).toBeUndefined();
    expect(await tick(crypto.randomUUID(), "password")).toBeUndefined();
    expect((await stored())[0]?.steps).toEqual([]);
  });

  test("the seen time of an account only moves forward, even if set ten times concurrently", async () => {
    const { transaction } = await open();
    const seenBy = (accountId: string) => transaction(({ seen }) => seen.find(accountId));
    const mark = (ms: number) => transaction(({ seen }) => seen.mark(ALICE.accountId, at(ms)));
    expect(await seenBy(ALICE.accountId)).toBeUndefined();
    await Promise.all([7, 3, 9, 1, 8, 10, 2, 6, 5, 4].map(mark));
    await mark(2);
    expect([await seenBy(ALICE.accountId), await seenBy(BOB.accountId)]).toEqual([at(10), undefined]);
    await transaction(({ seen }) => seen.remove(BOB.accountId));
    expect(await seenBy(ALICE.accountId)).toEqual(at(10));
    await transaction(({ seen }) => seen.remove(ALICE.accountId));
    expect(await seenBy(ALICE.accountId)).toBeUndefined();
  });
});
