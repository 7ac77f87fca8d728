import { describe, expect, test } from "bun:test";
import { postgresBilling } from "../../src/billing/adapters/postgres/store.ts";
import { memoryBilling } from "../memory/billing/store.ts";
import { ALICE, BOB } from "../support/builders.ts";
import { DAY, testClock } from "../support/clock.ts";
import { eachDatabase } from "../support/postgres.ts";
import { takePublished } from "../support/published.ts";
import { billingWorld, mailsOf } from "./billing_world.ts";

describe.each(eachDatabase(memoryBilling, postgresBilling))("concurrent billing on %s", (_, open) => {
  test("starts a trial once and ends it once, even if ten processes act concurrently", async () => {
    const { transaction, outbox } = await open();
    const clock = testClock();
    const processes = Array.from({ length: 10 }, () => billingWorld({ transaction, clock }).billing);
    for (const { accountId, address: email } of [ALICE, BOB]) {
      const registered = { type: "identity.registered" as const, accountId, email, language: "en" as const };
      await Promise.all(processes.map(({ onRegistered }) => onRegistered(registered)));
    }
    expect(await takePublished(outbox)).toMatchObject([
      { accountId: ALICE.accountId, active: true },
      { accountId: BOB.accountId, active: true },
    ]);
    clock.pass(14 * DAY);
    await Promise.all(processes.map(({ settleDue }) => settleDue()));
    const told = await takePublished(outbox);
    expect(mailsOf(told)).toEqual(["trial_ended", "trial_ended"]);
    const ended = told.filter(({ type }) => type !== "mail.requested");
    expect(ended).toHaveLength(2);
    expect(ended).toEqual(
      expect.arrayContaining(
        [ALICE, BOB].map(({ accountId }) => ({
          type: "billing.subscriptionChanged",
          accountId,
          active: false,
          cap: 3,
          changedAt: "2026-12-04T12:00:00.000Z",
        })),
      ),
    );
  });
});
