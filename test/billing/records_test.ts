import { expect, test } from "bun:test";
import { memoryBilling } from "../../src/billing/adapters/memory.ts";
import { createBilling } from "../../src/billing/mod.ts";
import { memoryDatabase } from "../../src/database/memory.ts";
import { ALICE, BOB } from "../support/builders.ts";
import { DAY, testClock } from "../support/clock.ts";

test("recordsOf() and summaryOf() know the account's trial while it runs, when it is over, and when there is none", async () => {
  const clock = testClock();
  const transaction = memoryDatabase().transactionOf(memoryBilling);
  const billing = createBilling({ transaction, mode: "sandbox", now: clock.now });
  const { accountId } = ALICE;
  await billing.onRegistered({ type: "identity.registered", accountId, email: ALICE.address, language: "en" });
  const startedAt = clock.now();
  const subscription = { accountId, plan: "trial", startedAt, endsAt: new Date(startedAt.getTime() + 14 * DAY) };
  expect(await billing.recordsOf(accountId)).toEqual({ subscription: { ...subscription, endedAt: null } } as never);
  expect(await billing.summaryOf(accountId)).toEqual({ plan: "trial", active: true });
  clock.pass(14 * DAY);
  expect(await billing.summaryOf(accountId)).toEqual({ plan: "trial", active: false });
  expect(await billing.recordsOf(BOB.accountId)).toEqual({ subscription: null });
  expect(await billing.summaryOf(BOB.accountId)).toEqual({ plan: null, active: false });
});
