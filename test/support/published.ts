import type { Event } from "../../src/events/catalogue.ts";
import type { Outbox } from "../../src/events/outbox.ts";

/** Later than any due time, as published events become due at the database's own time. */
export const LATER = new Date("2100-01-01T00:00:00.000Z");

/** Removes and returns, in order, every event that was published and not yet delivered. */
export async function takePublished(outbox: Outbox): Promise<Event[]> {
  const events: Event[] = [];
  for (;;) {
    const claimed = await outbox.claim(100, LATER, 60_000);
    for (const { id, leaseToken, event } of claimed) {
      await outbox.remove([{ id, leaseToken }]);
      events.push(event);
    }
    if (claimed.length === 0) return events;
  }
}
