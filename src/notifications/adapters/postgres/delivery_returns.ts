import { and, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import { READERS_REASONS, STOPPABLE } from "../../delivery/delivery.ts";
import type { DeliveryRepository } from "../../ports.ts";
import { deliveryTable } from "./tables.ts";

/** Putting deliveries back into the queue. */
export function returns(
  tx: Database,
): Pick<DeliveryRepository, "returnSent" | "reviveDead" | "releaseHeld" | "releaseHeldByChannel" | "resume"> {
  return {
    async returnSent(id, state, now) {
      const endedAt = state === "dead" ? now : null;
      const returned = await tx
        .update(deliveryTable)
        .set({ state, reason: "refused", runAt: now, turn: now, endedAt })
        .where(and(eq(deliveryTable.id, id), eq(deliveryTable.state, "sent")))
        .returning({ id: deliveryTable.id });
      return returned.length === 1;
    },

    async reviveDead(id, now) {
      const anew = { state: "due", reason: null, endedAt: null, attempts: 0, claims: 0, failingSince: null } as const;
      const kind = sql`${deliveryTable.about} ->> 'kind'`;
      const revived = await tx
        .update(deliveryTable)
        .set({ ...anew, runAt: now, turn: now })
        .where(and(eq(deliveryTable.id, id), eq(deliveryTable.state, "dead"), inArray(kind, STOPPABLE)))
        .returning({ id: deliveryTable.id });
      return revived.length === 1;
    },

    async releaseHeld(reason, contactId, now) {
      const ofContact: SQL | undefined = contactId === undefined ? undefined : eq(deliveryTable.contactId, contactId);
      const due = { state: "due", reason: null } as const;
      const released = await tx
        .update(deliveryTable)
        .set({ ...due, runAt: now, turn: now, ...(READERS_REASONS.includes(reason) && { wantedAt: now }) })
        .where(and(eq(deliveryTable.state, "held"), eq(deliveryTable.reason, reason), ofContact))
        .returning({ id: deliveryTable.id });
      return released.length;
    },

    async resume(channel, now) {
      const held = and(eq(deliveryTable.state, "held"), eq(deliveryTable.reason, "misconfigured"));
      const waiting = and(eq(deliveryTable.state, "due"), eq(deliveryTable.reason, "retry"));
      const resumed = await tx
        .update(deliveryTable)
        .set({ state: "due", reason: null, runAt: now, turn: now, failingSince: null })
        .where(and(eq(deliveryTable.channel, channel), or(held, waiting)))
        .returning({ id: deliveryTable.id });
      return resumed.length;
    },

    async releaseHeldByChannel(channel, now, most) {
      const isHeld = and(
        eq(deliveryTable.state, "held"),
        eq(deliveryTable.reason, "misconfigured"),
        eq(deliveryTable.channel, channel),
        isNull(deliveryTable.failingSince),
      );
      const waiting = tx.select({ id: deliveryTable.id }).from(deliveryTable).where(isHeld).orderBy(deliveryTable.turn);
      const released = await tx
        .update(deliveryTable)
        .set({ state: "due", reason: null, runAt: now, turn: now })
        .where(and(isHeld, most === undefined ? undefined : inArray(deliveryTable.id, waiting.limit(most))))
        .returning({ id: deliveryTable.id });
      return released.length;
    },
  };
}
