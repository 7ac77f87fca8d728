import type { MemoryTable } from "../../database/memory.ts";
import { APART_MS, APART_STEPS } from "../delivery.ts";
import type { Delivery } from "../ports.ts";

/** What dead workers left behind is due again; what two died with is taken apart, in the other order each time. */
export function takeBack(rows: MemoryTable<Delivery>, now: Date): void {
  const left = rows.filter(
    ({ state, leaseUntil }) => state === "sending" && leaseUntil !== undefined && leaseUntil < now,
  );
  const up = ({ id }: Delivery, other: Delivery) => (id < other.id ? -1 : 1);
  const dying = left.filter(({ claims }) => claims > 1).sort(up);
  const [even, odd] = [dying.filter(({ claims }) => claims % 2 === 0), dying.filter(({ claims }) => claims % 2 === 1)];
  const places = new Map([...even, ...odd.toReversed()].map(({ id }, place) => [id, place % APART_STEPS]));
  for (const row of left) {
    const place = places.get(row.id);
    const runAt = place === undefined ? row.runAt : new Date(now.getTime() + place * APART_MS);
    const none = { leaseToken: undefined, leaseUntil: undefined };
    rows.set(row.id, { ...row, ...none, state: "due", inDoubt: true, runAt });
  }
}
