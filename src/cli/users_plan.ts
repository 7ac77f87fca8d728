import { MAX_QUANTITY, PLANS, type Plan } from "../shared/plans.ts";
import { command, type Options } from "./command.ts";
import { account, actOn, BY, lastStaff, reason, UNSAID, unfitReason } from "./users_act.ts";
import { many, minute } from "./words.ts";

const LONGEST_GRANT_DAYS = 3660;

/** A granted plan and its end. */
export function givenShown({ plan, quantity, until }: { plan: Plan; quantity: number; until: string }): string {
  return `${plan}${quantity === 1 ? "" : ` × ${quantity}`} until ${minute(until)} UTC`;
}

const grantOptions = {
  days: { kind: "number", value: "n", says: "number of days from now (365)" },
  quantity: { kind: "number", value: "n", says: "quantity, for more addresses (1)" },
  reason,
} satisfies Options;

export const grant = command({
  name: "users grant",
  says: "Grant an account a plan for a time, without payment",
  more: "A plan granted earlier ends. A paid plan stays as it is.",
  arguments: [account, { name: "plan", says: "the plan", choices: PLANS }],
  options: grantOptions,
  examples: ["users grant ada@example.com professional --days 90", "users grant ada@example.com personal --quantity 2"],
  room: "app",
  changes: true,
  refuses({ options }) {
    const { days = 1, quantity = 1 } = options;
    if (days < 1 || days > LONGEST_GRANT_DAYS) return `--days takes 1 to ${LONGEST_GRANT_DAYS}`;
    return quantity < 1 || quantity > MAX_QUANTITY ? `--quantity takes 1 to ${MAX_QUANTITY}` : unfitReason({ options });
  },
  run: (office, { arguments: [typed = "", plan], options: { days = 365, quantity = 1, ...options } }) =>
    actOn(office, typed, {
      act: (id) =>
        office.product.billing.grantPlan(
          id,
          { plan: plan as Plan, quantity, days, reason: options.reason ?? UNSAID },
          BY,
        ),
      says: `${plan}${quantity === 1 ? "" : ` × ${quantity}`} for ${many(days, "day")}`,
      facts: async (id) => ({ granted: (await office.product.billing.subscriptionViewOf(id)).granted }),
    }),
});

export const revoke = command({
  name: "users revoke-grant",
  says: "End a granted plan",
  arguments: [account],
  options: { reason },
  examples: ["users revoke-grant ada@example.com"],
  room: "app",
  changes: true,
  refuses: unfitReason,
  run: (office, { arguments: [typed = ""], options }) =>
    actOn(office, typed, {
      act: (id) => office.product.billing.endGrant(id, { reason: options.reason ?? UNSAID }, BY),
      says: "the granted plan has ended",
      facts: () => ({ granted: null }),
      refusals: { NOT_FOUND: "No plan was given to this account" },
    }),
});

export const staff = command({
  name: "users staff",
  says: "Give or withdraw access to the staff pages",
  arguments: [account, { name: "on|off", says: "access or none", choices: ["on", "off"] }],
  options: { reason, "even-last": lastStaff },
  examples: ["users staff ada@example.com on", "users staff ada@example.com off"],
  room: "app",
  changes: true,
  refuses: unfitReason,
  run: (office, { arguments: [typed = "", mark], options }) =>
    actOn(office, typed, {
      act: (id) => {
        const why = options.reason === undefined ? {} : { reason: options.reason };
        return office.product.identity.setStaff(id, { staff: mark === "on", evenLast: options["even-last"], ...why });
      },
      says: mark === "on" ? "is staff" : "is no longer staff",
      facts: () => ({ staff: mark === "on" }),
    }),
});
