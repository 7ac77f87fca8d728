import type { About, Contact, Delivery } from "../ports.ts";

/** What one message can tell; the rest makes another one. */
export const ALERTS_PER_MESSAGE = 100;

export type SeveralAlerts = Extract<About, { kind: "alerts" | "digest" }>["alerts"];

/** The alerts that these tell, each once: one that became worse meanwhile is told twice otherwise. */
export function alertsOf(deliveries: Delivery[]): SeveralAlerts {
  const told = deliveries.flatMap(({ about }) =>
    "alertId" in about ? [{ associationId: about.associationId, alertId: about.alertId }] : [],
  );
  return [...new Map(told.map((alert) => [alert.alertId, alert])).values()];
}

/** New alerts for somebody who wants each at once. A program wants each by itself, and the daily message waits. */
function canBeJoined({ about, state }: Delivery, { channel, settings }: Contact): boolean {
  return about.kind === "alert" && state === "due" && channel !== "webhook" && settings.digestBelow === undefined;
}

/** Several alerts that come to one person at once, as after a source was away, are one message and not a storm of them. */
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
