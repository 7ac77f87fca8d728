import type { Delivery } from "../api/api.ts";
import type { TextId } from "../app/text_id.ts";
import type { Tone } from "../ui/display/badge.tsx";

type Reason = NonNullable<Delivery["reason"]>;

/** The badge of each delivery state. */
export const DELIVERY_STATE = {
  queued: { tone: "quiet", label: "delivery.queued" },
  sending: { tone: "accent", label: "delivery.sending" },
  accepted: { tone: "safe", label: "delivery.accepted" },
  retrying: { tone: "note", label: "delivery.retrying" },
  refused: { tone: "alarm", label: "delivery.refused" },
  skipped: { tone: "quiet", label: "delivery.skipped" },
  waiting: { tone: "note", label: "delivery.waiting" },
} as const satisfies Record<Delivery["state"], { tone: Tone; label: TextId }>;

/** Labels of the kinds of message that concern an alert. */
export const DELIVERY_KIND: Record<string, TextId> = {
  alert: "delivery.alert",
  alerts: "delivery.alerts",
  worse: "delivery.worse",
  report: "delivery.report",
  digest: "delivery.digest",
  test: "delivery.test",
};

/** Reasons that the contacts page can resolve. */
const CONTACT_TROUBLE: Reason[] = ["unconfirmed", "unsubscribed", "contact_broken", "refused"];

/** Why a message is in this state and what to do about it; undefined where nothing needs an explanation. */
export function reasonOf({ channel, state, reason }: Pick<Delivery, "channel" | "state" | "reason">) {
  if (reason === null) return undefined;
  if (reason === "unconfirmed" && channel === "telegram") return "reason.unconnected" satisfies TextId;
  if (reason === "refused" && state === "retrying") return "reason.refused_once" satisfies TextId;
  return `reason.${reason}` satisfies TextId;
}

export function hasContactTrouble({ reason }: Pick<Delivery, "reason">): boolean {
  return reason !== null && CONTACT_TROUBLE.includes(reason);
}

const SOON_MS = 1500;
const LATER_MS = 6000;

/** The polling interval while some of these messages are under way; false when all are final. */
export function lookAgain(deliveries: Pick<Delivery, "state">[] = []): number | false {
  const isAny = (...states: Delivery["state"][]) => deliveries.some(({ state }) => states.includes(state));
  if (isAny("queued", "sending")) return SOON_MS;
  return isAny("retrying", "waiting") ? LATER_MS : false;
}
