import type { EventOf } from "../events/catalogue.ts";
import { mailboxMark } from "../shared/stranger_mail.ts";
import type { BillingDeps, Farewell } from "./ports.ts";

const MINUTE_MS = 60_000;
const LONGEST_MS = 6 * 3_600_000;
const BATCH = 20;

/** Cancels a deleted account's plan at the provider, retrying for as long as the provider is unavailable. */
export function farewell({ transaction, payments, mac, now, report }: BillingDeps) {
  async function end({ customerId, sessionIds }: Farewell): Promise<boolean> {
    // Open sessions could still be paid.
    for (const sessionId of sessionIds) {
      const ended = await payments.expireCheckout(sessionId);
      if (!ended.ok && ended.reason !== "missing") return false;
    }
    return (await payments.forgetCustomer(customerId)).ok;
  }

  return {
    onDeleted({ accountId, email }: EventOf<"identity.deleted">): Promise<void> {
      return transaction(async ({ subscriptions, checkouts, orders, notices, farewells, formerTrials }) => {
        const held = await subscriptions.findForUpdate(accountId);
        // Only for a verified mailbox, so that nobody can use up somebody else's trial.
        if (email !== undefined && held?.trialEndsAt) await formerTrials.add(mailboxMark(mac, email), held.trialEndsAt);
        const open = (await checkouts.list(accountId)).filter(({ state }) => state === "open");
        if (held?.customerId !== undefined) {
          const sessionIds = open.map(({ sessionId }) => sessionId);
          await farewells.add({ customerId: held.customerId, sessionIds, attempts: 0, dueAt: now() });
        }
        for (const records of [checkouts, orders, notices]) await records.removeAll(accountId);
        await subscriptions.remove(accountId);
      });
    },

    /** Job: cancels and forgets the customers of deleted accounts at the provider. Returns how many are finished. */
    async sayFarewells(): Promise<number> {
      const again = new Date(now().getTime() + 10 * MINUTE_MS);
      const due = await transaction(({ farewells }) => farewells.claimDue(now(), again, BATCH));
      let done = 0;
      for (const one of due) {
        const isDone = await end(one).catch((error: unknown) => report(error, { job: "farewells" }));
        if (isDone) done++;
        const wait = Math.min(LONGEST_MS, MINUTE_MS * 2 ** Math.min(one.attempts, 20));
        await transaction(({ farewells }) =>
          isDone
            ? farewells.remove(one.customerId)
            : farewells.retryAt(one.customerId, new Date(now().getTime() + wait)),
        );
      }
      return done;
    },
  };
}
