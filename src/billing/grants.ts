import { fail, ok, type Result } from "../shared/result.ts";
import type { StaffAct, StaffActor } from "../shared/staff.ts";
import { type Grant, isGranted } from "./grant.ts";
import type { GrantInput } from "./inputs.ts";
import { capOf } from "./plan.ts";
import type { BillingDeps } from "./ports.ts";
import { saveEntitlement } from "./settle.ts";
import { newSubscription } from "./subscription.ts";

const DAY_MS = 24 * 3_600_000;

/** A granted plan; instants in ISO 8601. */
export type GrantShown = { plan: Grant["plan"]; quantity: number; cap: number | null; from: string; until: string };

function shown({ plan, quantity, from, until }: Grant): GrantShown {
  return { plan, quantity, cap: capOf(plan, quantity), from: from.toISOString(), until: until.toISOString() };
}

/** Plans granted by the operator, independent of purchases and of the payment provider. */
export function grants({ transaction, mode, payers, now, newId }: BillingDeps) {
  type Acted = { act: StaffAct; actor: StaffActor; accountId: string; reason: string };
  type Change = Acted & { grantOf: (former: Grant | undefined) => Grant | undefined };

  /** Stores and announces the account's new entitlement, and writes the audit entry. */
  async function give({ grantOf, ...acted }: Change): Promise<Result<GrantShown, "NOT_FOUND">> {
    const { accountId, act, actor, reason } = acted;
    const payer = await payers.of(accountId);
    if (!payer) return fail("NOT_FOUND");
    return transaction(async (store) => {
      const { subscriptions, events } = store;
      const known = await subscriptions.findForUpdate(accountId);
      const grant = grantOf(known?.grant);
      if (!grant) return fail("NOT_FOUND");
      // Accounts registered while billing was off have no subscription yet.
      if (!known) await subscriptions.add(newSubscription(accountId, now(), undefined));
      const held = { ...(known ?? newSubscription(accountId, now(), undefined)), grant };
      // While billing is off the grant is only stored, and announced once billing is on.
      if (mode === "off") await subscriptions.save({ ...held, endsAt: grant.until, endedAt: undefined });
      else await saveEntitlement(store, held, { payer, now: now() });
      await events.publish({
        type: "staff.acted",
        id: newId(),
        at: now().toISOString(),
        actor,
        act,
        reason,
        object: { kind: "account", id: accountId },
        detail: { plan: grant.plan, quantity: String(grant.quantity), until: grant.until.toISOString() },
      });
      return ok(shown(grant));
    });
  }

  return {
    /** Grants a plan for this many days from now and replaces an existing grant. */
    grantPlan(
      accountId: string,
      { plan, quantity, days, reason }: GrantInput,
      actor: StaffActor,
    ): Promise<Result<GrantShown, "NOT_FOUND">> {
      const from = now();
      const grant = { plan, quantity, from, until: new Date(from.getTime() + days * DAY_MS) };
      return give({ act: "plan_granted", actor, accountId, reason, grantOf: () => grant });
    },

    /** Revokes the grant; NOT_FOUND when there is none. */
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
