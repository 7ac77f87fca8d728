import { SUSPECT_CLAIMS } from "../../../src/notifications/delivery/delivery.ts";
import type { Delivery } from "../../../src/notifications/ports.ts";
import type { MemoryTable } from "../database.ts";

/** Makes deliveries of dead workers due again; those with which several died, one at a time. */
export function reclaimExpired(rows: MemoryTable<Delivery>, now: Date): number {
  const sending = rows.filter(({ state }) => state === "sending");
  const isLeft = ({ leaseUntil }: Delivery) => leaseUntil !== undefined && leaseUntil < now;
  const isTried = sending.some((row) => !isLeft(row) && row.claims > SUSPECT_CLAIMS);
  const left = sending.filter(isLeft);
  const [suspect] = left
    .filter(({ claims }) => claims >= SUSPECT_CLAIMS)
    .sort(
      (one, other) =>
        one.lane - other.lane ||
        (one.leaseUntil?.getTime() ?? 0) - (other.leaseUntil?.getTime() ?? 0) ||
        (one.id < other.id ? -1 : 1),
    );
  const harmless = left.filter(({ claims }) => claims < SUSPECT_CLAIMS);
  const taken = [...harmless, ...(suspect && !isTried ? [suspect] : [])];
  for (const row of taken)
    rows.set(row.id, { ...row, state: "due", inDoubt: true, leaseToken: undefined, leaseUntil: undefined });
  return taken.length;
}
