import { fail, ok, type Result } from "../shared/result.ts";
import type { StaffAct, StaffActor } from "../shared/staff.ts";
import { type Grant, isGranted } from "./grant.ts";
import type { GrantInput } from "./inputs.ts";
import { capOf } from "./plan.ts";
import type { BillingDeps } from "./ports.ts";
import { settle } from "./settle.ts";
import { newSubscription } from "./subscription.ts";

const DAY_MS = 24 * 3_600_000;

/** A plan that was given; instants in ISO 8601. */
export type GrantShown = { plan: Grant["plan"]; quantity: number; cap: number | null; from: string; until: string };

function shown({ plan, quantity, from, until }: Grant): GrantShown {
  return { plan, quantity, cap: capOf(plan, quantity), from: from.toISOString(), until: until.toISOString() };
}

/** Plans that the operator gives: beside what the account buys, and without the provider. */
export function grants({ transaction, mode, payers, now, newId }: BillingDeps) {
  type Acted = { act: StaffAct; actor: StaffActor; accountId: string; reason: string };
  type Change = Acted & { grantOf: (former: Grant | undefined) => Grant | undefined };

  /** Stores and tells what the account has now, and writes down who did it. */
  async function give({ grantOf, ...acted }: Change): Promise<Result<GrantShown, "NOT_FOUND">> {
    const { accountId, act, actor, reason } = acted;
    const payer = await payers.of(accountId);
    if (!payer) return fail("NOT_FOUND");
    return transaction(async (store) => {
      const { subscriptions, events } = store;
      const known = await subscriptions.hold(accountId);
      const grant = grantOf(known?.grant);
      if (!grant) return fail("NOT_FOUND");
      // One that came when nobody paid has none yet.
      if (!known) await subscriptions.add(newSubscription(accountId, now(), undefined));
      const held = { ...(known ?? newSubscription(accountId, now(), undefined)), grant };
      // Where nobody needs a plan it is kept for the day when somebody does, and is no news.
      if (mode === "off") await subscriptions.save({ ...held, endsAt: grant.until, endedAt: undefined });
      else await settle(store, held, { payer, now: now() });
      await events.publish({
        ...{ type: "staff.acted", id: newId(), at: now().toISOString(), actor, act, reason },
        object: { kind: "account", id: accountId },
        detail: { plan: grant.plan, quantity: String(grant.quantity), until: grant.until.toISOString() },
      });
      return ok(shown(grant));
    });
  }

  return {
    /** Gives a plan for so many days from now; the former gift, if there is one, ends with that. */
    grantPlan(
      accountId: string,
      { plan, quantity, days, reason }: GrantInput,
      actor: StaffActor,
    ): Promise<Result<GrantShown, "NOT_FOUND">> {
      const from = now();
      const grant = { plan, quantity, from, until: new Date(from.getTime() + days * DAY_MS) };
      return give({ act: "plan_granted", actor, accountId, reason, grantOf: () => grant });
    },

    /** Ends it now; not found where none is running. */
    endGrant(
      accountId: string,
      { reason }: { reason: string },
      actor: StaffActor,
    ): Promise<Result<GrantShown, "NOT_FOUND">> {
      const grantOf = (former: Grant | undefined) =>
        former && isGranted(former, now()) ? { ...former, until: now() } : undefined;
      return give({ act: "plan_grant_ended", actor, accountId, reason, grantOf });
    },
  };
}
