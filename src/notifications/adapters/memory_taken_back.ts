import type { MemoryTable } from "../../database/memory.ts";
import { SUSPECT_CLAIMS } from "../delivery.ts";
import type { Delivery } from "../ports.ts";

/** What dead workers left behind is due again; of what several died with one at a time. */
export function takeBack(rows: MemoryTable<Delivery>, now: Date): void {
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
  for (const row of [...harmless, ...(suspect && !isTried ? [suspect] : [])])
    rows.set(row.id, { ...row, state: "due", inDoubt: true, leaseToken: undefined, leaseUntil: undefined });
}
