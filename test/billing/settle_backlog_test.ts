import { describe, expect, test } from "bun:test";
import { createBilling } from "../../src/billing/mod.ts";
import { ALICE } from "../support/builders.ts";
import { DAY } from "../support/clock.ts";
import { billingWorld, changesOf } from "./billing_world.ts";

/** More than the job reads at a time. */
const MANY = 250;

/** Accounts whose trial has ended. The payers of those in `broken` cannot be read. */
async function backlog(broken: { has(accountId: string): boolean } = new Set<string>()) {
  const w = billingWorld();
  const accountIds = Array.from({ length: MANY }, () => crypto.randomUUID());
  for (const accountId of accountIds) await w.register({ ...ALICE, accountId });
  w.clock.pass(15 * DAY);
  await w.published();
  const payers: typeof w.deps.payers = {
    async of(accountId) {
      if (broken.has(accountId)) throw new Error(`cannot read ${accountId}`);
      return undefined;
    },
  };
  const faulty = createBilling({ ...w.deps, payers });
  const ended = async () => changesOf(await w.published()).filter(([active]) => !active).length;
  return { ...w, accountIds, faulty, ended };
}

describe("settleDue()", () => {
  test("announces any number of ends in one run", async () => {
    const w = await backlog();
    expect(await w.billing.settleDue()).toBe(MANY);
    expect(await w.ended()).toBe(MANY);
    expect(await w.billing.settleDue()).toBe(0);
  });

  test("skips an account that fails until the next run, and reports it", async () => {
    const broken = new Set<string>();
    const w = await backlog(broken);
    const [first = ""] = w.accountIds;
    broken.add(first);
    expect(await w.faulty.settleDue()).toBe(MANY - 1);
    expect(w.errors).toEqual([new Error(`cannot read ${first}`)]);
    broken.clear();
    expect(await w.faulty.settleDue()).toBe(1);
  });

  test("ends when every account fails", async () => {
    const w = await backlog({ has: () => true });
    expect(await w.faulty.settleDue()).toBe(0);
    expect(w.errors).toHaveLength(MANY);
    expect(await w.billing.settleDue()).toBe(MANY);
  });

  test("ends between two accounts when it is stopped", async () => {
    const w = await backlog();
    let asked = 0;
    expect(await w.billing.settleDue(() => ++asked > 7)).toBe(7);
    expect(await w.billing.settleDue()).toBe(MANY - 7);
  });
});
