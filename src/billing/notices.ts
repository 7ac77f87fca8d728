import type { MailRequested } from "../events/catalogue.ts";
import { type Grant, isGranted } from "./grant.ts";
import { capOf } from "./plan.ts";
import type { BillingStore, Payer } from "./ports.ts";
import { endOf, graceEnd, isCovering, type Purchase } from "./purchase.ts";
import type { Subscription } from "./subscription.ts";

const DAY_MS = 24 * 3_600_000;
/** Days before an end on which a notice is sent; 0 is the day itself. */
const PLAN_DAYS = [7, 1, 0] as const;
const GRACE_REMINDER_DAYS = [3, 1, 0];
/** An end that is older than this is not announced any more. */
const FRESH_MS = 2 * DAY_MS;

export type PlanTemplate = Extract<
  MailRequested["template"],
  `trial_${string}` | `plan_${string}` | `payment_${string}`
>;
/** Each `key` is sent at most once per account. */
export type Notice = { key: string; template: PlanTemplate; params: Record<string, string>; notAfter?: Date };

/** The smallest step that has been reached on the way to `end`: days before it, or 0 on its calendar day in UTC. */
export function stepTo(end: Date, now: Date, steps: readonly number[]): number | undefined {
  const left = end.getTime() - now.getTime();
  if (left <= 0) return undefined;
  const isToday = end.toISOString().slice(0, 10) === now.toISOString().slice(0, 10);
  return steps.filter((days) => (days === 0 ? isToday : left <= days * DAY_MS)).at(-1);
}

/** Parameters for mails about a purchase. */
export function factsOf({ plan, quantity, period, periodEnd }: Purchase): Record<string, string> {
  const cap = capOf(plan, quantity);
  const facts = { plan, quantity: String(quantity), period, cap: cap === null ? "unlimited" : String(cap) };
  return { ...facts, periodEnd: periodEnd.toISOString() };
}

/** Notices for a granted plan: its start while that is recent, the days before its end, and the end. */
function grantNotices({ grant }: Subscription, now: Date): Notice[] {
  if (!grant) return [];
  const { plan, quantity, from, until } = grant;
  const cap = capOf(plan, quantity);
  const facts = { plan, quantity: String(quantity), cap: cap === null ? "unlimited" : String(cap) };
  const params = { ...facts, until: until.toISOString() };
  const [began, end] = [from.toISOString(), until.toISOString()];
  if (!isGranted(grant, now)) {
    const isNews = now.getTime() - until.getTime() <= FRESH_MS;
    return isNews ? [{ key: `plan_grant_ended ${began}`, template: "plan_grant_ended", params }] : [];
  }
  const given: Notice = { key: `plan_granted ${began}`, template: "plan_granted", params };
  const step = stepTo(until, now, PLAN_DAYS);
  // The first notice of a short grant has named its end already.
  const isShort = until.getTime() - from.getTime() <= PLAN_DAYS[0] * DAY_MS;
  if (step === undefined || isShort) return [given];
  const key = `plan_grant_ending ${step} ${end}`;
  const ending: Notice = {
    key,
    template: "plan_grant_ending",
    params: { ...params, days: `${step}` },
    notAfter: until,
  };
  return [given, ending];
}

function trialNotice({ trialEndsAt: end }: Subscription, now: Date): Notice[] {
  if (!end) return [];
  const at = end.toISOString();
  const step = stepTo(end, now, PLAN_DAYS);
  if (step !== undefined)
    return [
      {
        key: `trial_ending ${step} ${at}`,
        template: "trial_ending",
        params: { until: at, days: `${step}` },
        notAfter: end,
      },
    ];
  const age = now.getTime() - end.getTime();
  return age < 0 || age > FRESH_MS ? [] : [{ key: `trial_ended ${at}`, template: "trial_ended", params: { at } }];
}

function graceNotice(purchase: Purchase, end: Date, now: Date): Notice {
  const since = purchase.pastDueSince?.toISOString();
  const step = stepTo(end, now, GRACE_REMINDER_DAYS);
  const params = { ...factsOf(purchase), until: end.toISOString() };
  if (step === undefined) return { key: `payment_failed ${since}`, template: "payment_failed", params, notAfter: end };
  const key = `payment_reminder ${step} ${since}`;
  return { key, template: "payment_reminder", params: { ...params, days: `${step}` }, notAfter: end };
}

function coveringNotices(purchase: Purchase, now: Date): Notice[] {
  const { subscriptionId, cancelAt } = purchase;
  const facts = factsOf(purchase);
  const started: Notice = { key: `plan_started ${subscriptionId}`, template: "plan_started", params: facts };
  const grace = graceEnd(purchase);
  if (grace) return [started, graceNotice(purchase, grace, now)];
  if (!cancelAt) return [started];
  const until = cancelAt.toISOString();
  const step = stepTo(cancelAt, now, PLAN_DAYS);
  const key = `plan_ending ${step ?? "planned"} ${subscriptionId} ${until}`;
  const params = { ...facts, until, ...(step !== undefined && { days: `${step}` }) };
  return [started, { key, template: "plan_ending", params, notAfter: cancelAt }];
}

/** The end of the purchase, if it has ended. */
function endNotice(purchase: Purchase, told: ReadonlySet<string>): Notice[] {
  const { subscriptionId, status, pastDueSince, periodEnd } = purchase;
  if (status === "pending" || !told.has(`plan_started ${subscriptionId}`)) return [];
  const params = factsOf(purchase);
  if (status === "past_due" || status === "suspended")
    return [{ key: `plan_suspended ${(pastDueSince ?? periodEnd).toISOString()}`, template: "plan_suspended", params }];
  return [{ key: `plan_ended ${subscriptionId}`, template: "plan_ended", params }];
}

/** Whether the grant outlasts everything else, so that those ends need no notice. */
function coversAfter(grant: Grant, { purchase, trialEndsAt }: Subscription, now: Date): boolean {
  if (isGranted(grant, now)) return true;
  const end = purchase ? (endOf(purchase) ?? purchase.periodEnd) : trialEndsAt;
  return end !== undefined && end <= grant.until;
}

/** Notices that are due and have not been sent to the account. */
export function noticesDue(subscription: Subscription, told: ReadonlySet<string>, now: Date): Notice[] {
  const { purchase } = subscription;
  const isCovered = purchase !== undefined && isCovering(purchase, now);
  const own = isCovered
    ? coveringNotices(purchase, now)
    : subscription.grant && coversAfter(subscription.grant, subscription, now)
      ? []
      : purchase && purchase.status !== "pending"
        ? endNotice(purchase, told)
        : trialNotice(subscription, now);
  const due = [...own, ...grantNotices(subscription, now)];
  return due.filter(({ key }) => !told.has(key));
}

/** The notice to send to the payer about a change at the provider. */
export function changeNotice(before: Purchase | undefined, after: Purchase | undefined, now: Date): Notice | undefined {
  if (!before || !after || before.subscriptionId !== after.subscriptionId || !isCovering(after, now)) return undefined;
  const params = { ...factsOf(after), at: now.toISOString() };
  const isSame = before.plan === after.plan && before.quantity === after.quantity && before.period === after.period;
  if (!isSame) return { key: "", template: "plan_changed", params };
  const failed = before.status === "past_due" || before.status === "suspended";
  if (failed && after.status === "active") return { key: "", template: "payment_received", params };
  if (before.cancelAt && !after.cancelAt) return { key: "", template: "plan_continues", params };
  return undefined;
}

function mailOf({ template, params, notAfter }: Notice, accountId: string, { email, language }: Payer): MailRequested {
  const about = { type: "mail.requested" as const, to: email, language, template, params, accountId };
  return notAfter ? { ...about, notAfter: notAfter.toISOString() } : about;
}

type Telling = { subscription: Subscription; payer: Payer | undefined; change?: Notice | undefined; now: Date };

/** Sends new notices. They count as sent even if there is no recipient. */
export async function tell({ notices, events }: BillingStore, { subscription, payer, change, now }: Telling) {
  const { accountId } = subscription;
  const told = new Set((await notices.list(accountId)).map(({ key }) => key));
  const due = noticesDue(subscription, told, now);
  const fresh: Notice[] = change ? [change] : [];
  for (const notice of due) if (await notices.add(accountId, notice.key, now)) fresh.push(notice);
  if (payer) for (const notice of fresh) await events.publish(mailOf(notice, accountId, payer));
}
