import { isForContacts, READERS_REASONS } from "../../../src/notifications/delivery/delivery.ts";
import type { Delivery, DeliveryRepository } from "../../../src/notifications/ports.ts";
import type { MemoryTables } from "../database.ts";

const ENDED_NEVER = { reason: undefined, endedAt: undefined, failingSince: undefined };
const ANEW = { state: "due", attempts: 0, claims: 0, ...ENDED_NEVER } as const;

/** Putting deliveries back into the queue. */
export function memoryReturns(
  tables: MemoryTables,
): Pick<DeliveryRepository, "returnSent" | "reviveDead" | "releaseHeld" | "releaseHeldByChannel" | "resume"> {
  const rows = tables<Delivery>("notifications.delivery");

  /** Updates every matching row; returns how many. */
  function changeAll(matches: (row: Delivery) => boolean, change: (row: Delivery) => Delivery): number {
    const found = rows.filter(matches);
    for (const row of found) rows.set(row.id, change(row));
    return found.length;
  }

  return {
    releaseHeld: async (reason, contactId, now) =>
      changeAll(
        (row) =>
          row.state === "held" && row.reason === reason && (contactId === undefined || row.contactId === contactId),
        (row) => ({
          ...row,
          state: "due",
          reason: undefined,
          runAt: now,
          turn: now,
          wantedAt: READERS_REASONS.includes(reason) ? now : row.wantedAt,
        }),
      ),
    resume: async (channel, now) =>
      changeAll(
        ({ recipient, state, reason }) =>
          recipient.channel === channel &&
          ((state === "held" && reason === "misconfigured") || (state === "due" && reason === "retry")),
        (row) => ({ ...row, state: "due", reason: undefined, runAt: now, turn: now, failingSince: undefined }),
      ),
    async releaseHeldByChannel(channel, now, most = Number.POSITIVE_INFINITY) {
      const waiting = rows
        .filter(
          ({ state, reason, recipient, failingSince }) =>
            state === "held" &&
            reason === "misconfigured" &&
            recipient.channel === channel &&
            failingSince === undefined,
        )
        .toSorted((one, other) => one.turn.getTime() - other.turn.getTime())
        .slice(0, most);
      return changeAll(
        ({ id }) => waiting.some((row) => row.id === id),
        (row) => ({ ...row, state: "due", reason: undefined, runAt: now, turn: now }),
      );
    },
    returnSent: async (id, state, now) =>
      changeAll(
        (row) => row.id === id && row.state === "sent",
        (row) => ({
          ...row,
          state,
          reason: "refused",
          runAt: now,
          turn: now,
          endedAt: state === "dead" ? now : undefined,
        }),
      ) === 1,
    reviveDead: async (id, now) =>
      changeAll(
        (row) => row.id === id && row.state === "dead" && isForContacts(row),
        (row) => ({ ...row, ...ANEW, runAt: now, turn: now }),
      ) === 1,
  };
}
