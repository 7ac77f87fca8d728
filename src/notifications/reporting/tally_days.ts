import type { DailyStats, DeliveryStat } from "../ports.ts";
import { merged } from "./latency.ts";

type Slot = Pick<DeliveryStat, "day" | "channel" | "slot">;

const keyOf = ({ day, channel, slot }: Slot) => `${day} ${channel} ${slot}`;

export function inFixedOrder<Row extends Slot>(rows: Row[]): Row[] {
  return rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Merges the rows of each day and channel. */
export function daysOf(rows: (DailyStats & { slot: number })[]): DailyStats[] {
  const groups = Map.groupBy(inFixedOrder(rows), ({ day, channel }) => `${day} ${channel}`);
  return [...groups.values()].flatMap((slots) => {
    const [first] = slots;
    const sum = (name: "accepted" | "failed" | "refused" | "inDoubt") =>
      slots.reduce((total, row) => total + row[name], 0);
    return first === undefined
      ? []
      : [
          {
            day: first.day,
            channel: first.channel,
            accepted: sum("accepted"),
            failed: sum("failed"),
            refused: sum("refused"),
            inDoubt: sum("inDoubt"),
            latencies: merged(slots.map(({ latencies }) => latencies)),
          },
        ];
  });
}
