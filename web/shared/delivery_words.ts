import type { Delivery } from "../api/api.ts";
import type { TextId } from "../app/text_id.ts";
import type { Tone } from "../ui/display/badge.tsx";

type Reason = NonNullable<Delivery["reason"]>;

/** How each state of a message reads. */
export const DELIVERY_STATE = {
  queued: { tone: "quiet", label: "delivery.queued" },
  sending: { tone: "accent", label: "delivery.sending" },
  accepted: { tone: "safe", label: "delivery.accepted" },
  retrying: { tone: "note", label: "delivery.retrying" },
  refused: { tone: "alarm", label: "delivery.refused" },
  skipped: { tone: "quiet", label: "delivery.skipped" },
  waiting: { tone: "note", label: "delivery.waiting" },
} as const satisfies Record<Delivery["state"], { tone: Tone; label: TextId }>;

/** Messages of other kinds are about no alert. */
export const DELIVERY_KIND: Record<string, TextId> = {
  alert: "delivery.alert",
  alerts: "delivery.alerts",
  worse: "delivery.worse",
  report: "delivery.report",
  digest: "delivery.digest",
  test: "delivery.test",
};

const REASONS = {
  unconfirmed: "reason.unconfirmed",
  misconfigured: "reason.misconfigured",
  operator: "reason.operator",
  crash_loop: "reason.crash_loop",
  unrenderable: "reason.unrenderable",
  digest: "reason.digest",
  quiet: "reason.quiet",
  unsubscribed: "reason.unsubscribed",
  contact_broken: "reason.contact_broken",
  contact_removed: "reason.contact_removed",
  alert_gone: "reason.alert_gone",
  account_gone: "reason.account_gone",
  already_settled: "reason.already_settled",
  gathered: "reason.gathered",
  expired: "reason.expired",
  refused: "reason.refused",
  rejected: "reason.rejected",
  gave_up: "reason.gave_up",
  retry: "reason.retry",
  interrupted: "reason.interrupted",
} as const satisfies Record<Reason, TextId>;

/** Those that the page of the contacts has a remedy for. */
const CONTACT_TROUBLE: Reason[] = ["unconfirmed", "unsubscribed", "contact_broken", "refused"];

/** Why a message stands where it does, and what to do; undefined where there is nothing to explain. */
export function reasonOf({ channel, state, reason }: Pick<Delivery, "channel" | "state" | "reason">) {
  if (reason === null) return undefined;
  if (reason === "unconfirmed" && channel === "telegram") return "reason.unconnected" satisfies TextId;
  if (reason === "refused" && state === "retrying") return "reason.refused_once" satisfies TextId;
  return REASONS[reason];
}

export function hasContactTrouble({ reason }: Pick<Delivery, "reason">): boolean {
  return reason !== null && CONTACT_TROUBLE.includes(reason);
}

const SOON_MS = 1500;
const LATER_MS = 6000;

/** How soon these messages are worth another look; false when all have ended. */
export function lookAgain(deliveries: Pick<Delivery, "state">[] = []): number | false {
  const isAny = (...states: Delivery["state"][]) => deliveries.some(({ state }) => states.includes(state));
  if (isAny("queued", "sending")) return SOON_MS;
  return isAny("retrying", "waiting") ? LATER_MS : false;
}
