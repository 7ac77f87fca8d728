import type { About, Contact, Delivery } from "../ports.ts";

/** Limit of alerts in one message; further ones go into another message. */
export const ALERTS_PER_MESSAGE = 100;

export type SeveralAlerts = Extract<About, { kind: "alerts" | "digest" }>["alerts"];

/** The alerts of these deliveries, without duplicates: an escalated alert has two deliveries. */
export function alertsOf(deliveries: Delivery[]): SeveralAlerts {
  const told = deliveries.flatMap(({ about }) =>
    "alertId" in about ? [{ associationId: about.associationId, alertId: about.alertId }] : [],
  );
  return [...new Map(told.map((alert) => [alert.alertId, alert])).values()];
}

/** New alerts for immediate delivery can be grouped, except for webhooks and daily digests. */
function canBeJoined({ about, state }: Delivery, { channel, settings }: Contact): boolean {
  return about.kind === "alert" && state === "due" && channel !== "webhook" && settings.digestBelow === undefined;
}

/** Groups alerts that arrive for one person at the same time, as after an outage of a source, into one message. */
export function toldTogether(
  list: { delivery: Delivery; contact: Contact }[],
  messageOf: (first: Delivery, alerts: SeveralAlerts) => Delivery,
): Delivery[] {
  const joined = Map.groupBy(
    list.filter(({ delivery, contact }) => canBeJoined(delivery, contact)),
    ({ contact }) => contact.id,
  );
  const messages: Delivery[] = [];
  const gatheredIn = new Map<string, Delivery>();
  for (const parts of joined.values()) {
    for (let from = 0; from < parts.length; from += ALERTS_PER_MESSAGE) {
      const deliveries = parts.slice(from, from + ALERTS_PER_MESSAGE).map(({ delivery }) => delivery);
      const [first] = deliveries;
      if (!first || deliveries.length < 2) continue;
      const message = messageOf(first, alertsOf(deliveries));
      messages.push(message);
      for (const { id } of deliveries) gatheredIn.set(id, message);
    }
  }
  const rows = list.map(({ delivery }) => {
    const message = gatheredIn.get(delivery.id);
    return message ? gathered(delivery, message) : delivery;
  });
  return [...messages, ...rows];
}

function gathered(delivery: Delivery, { id, createdAt }: Delivery): Delivery {
  return { ...delivery, state: "cancelled", reason: "gathered", gatheredIn: id, endedAt: createdAt };
}
