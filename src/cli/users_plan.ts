import { MAX_QUANTITY, PLANS, type Plan } from "../shared/plans.ts";
import { accountCommand, BY, lastStaff, reason, unfitReason } from "./users_act.ts";
import { many, minute } from "./words.ts";

const LONGEST_GRANT_DAYS = 3660;

/** A granted plan and its end. */
export function givenShown({ plan, quantity, until }: { plan: Plan; quantity: number; until: string }): string {
  return `${plan}${shownTimes(quantity)} until ${minute(until)} UTC`;
}

const shownTimes = (quantity: number) => (quantity === 1 ? "" : ` × ${quantity}`);

export const grant = accountCommand({
  name: "users grant",
  says: "Grant an account a plan for a time, without payment",
  more: "A plan granted earlier ends. A paid plan stays as it is.",
  further: [{ name: "plan", says: "the plan", choices: PLANS }],
  options: {
    days: { kind: "number", value: "n", says: "number of days from now (365)" },
    quantity: { kind: "number", value: "n", says: "quantity, for more addresses (1)" },
    reason,
  },
  examples: ["users grant ada@example.com professional --days 90", "users grant ada@example.com personal --quantity 2"],
  refuses({ options }) {
    const { days = 1, quantity = 1 } = options;
    if (days < 1 || days > LONGEST_GRANT_DAYS) return `--days takes 1 to ${LONGEST_GRANT_DAYS}`;
    return quantity < 1 || quantity > MAX_QUANTITY ? `--quantity takes 1 to ${MAX_QUANTITY}` : unfitReason({ options });
  },
  act: ({ billing }, id, { why, arguments: [, plan], options: { days = 365, quantity = 1 } }) =>
    billing.grantPlan(id, { plan: plan as Plan, quantity, days, reason: why }, BY),
  done: ({ arguments: [, plan], options: { days = 365, quantity = 1 } }) =>
    `${plan}${shownTimes(quantity)} for ${many(days, "day")}`,
  facts: async (_, { billing }, id) => ({ granted: (await billing.subscriptionViewOf(id)).granted }),
});

export const revoke = accountCommand({
  name: "users revoke-grant",
  says: "End a granted plan",
  options: { reason },
  examples: ["users revoke-grant ada@example.com"],
  act: ({ billing }, id, { why }) => billing.endGrant(id, { reason: why }, BY),
  done: () => "the granted plan has ended",
  facts: () => ({ granted: null }),
  refusals: { NOT_FOUND: "No plan was given to this account" },
});

export const staff = accountCommand({
  name: "users staff",
  says: "Give or withdraw access to the staff pages",
  further: [{ name: "on|off", says: "access or none", choices: ["on", "off"] }],
  options: { reason, "even-last": lastStaff },
  examples: ["users staff ada@example.com on", "users staff ada@example.com off"],
  act({ identity }, id, { arguments: [, mark], options }) {
    const why = options.reason === undefined ? {} : { reason: options.reason };
    return identity.setStaff(id, { staff: mark === "on", evenLast: options["even-last"], ...why });
  },
  done: ({ arguments: [, mark] }) => (mark === "on" ? "is staff" : "is no longer staff"),
  facts: ({ arguments: [, mark] }) => ({ staff: mark === "on" }),
});
