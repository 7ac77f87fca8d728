// One of each figure, and what a meter says of them.
import type { Figures } from "../../src/telemetry/figures.ts";
import { createMeter } from "../../src/telemetry/metrics.ts";

export const NOW = new Date("2026-03-02T08:00:00.000Z");
export const FIGURES: Figures = {
  sources: [
    {
      source: "hibp",
      syncedAt: "2026-03-02T07:59:00.000Z",
      pausedUntil: null,
      due: 3,
      retrying: 2,
      oldestDue: "2026-03-02T07:58:30.000Z",
      trouble: null,
      lookUpTrouble: "out of order",
    },
  ],
  channels: [{ channel: "email", state: "resting", trouble: "EAUTH 535 wrong password" }],
  deliveries: { due: 7, retrying: 3, oldestDueAt: new Date("2026-03-02T07:59:55.000Z"), held: 1, dead: 2, inDoubt: 4 },
  events: { waiting: 5, oldest: undefined },
  budgets: [{ source: "hibp", nextSlotAt: new Date("2026-03-02T08:00:06.000Z") }],
  bytes: 1024,
  sinks: [
    { name: "syslog", waiting: 4, oldest: new Date("2026-03-02T07:59:48.000Z"), trouble: "ECONNREFUSED" },
    { name: "splunk", waiting: 0, oldest: undefined, trouble: undefined },
  ],
  backups: { scheduled: true, lastAt: new Date("2026-03-02T03:15:00.000Z"), hasFailed: true },
};

/** The lines of a meter, by their name and labels. */
export async function readings(meter: { text(): Promise<string> }): Promise<Map<string, number>> {
  const lines = (await meter.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  );
}

/** Every series that the product can export, as each kind of event has happened once. */
export function everySeries(): Promise<Map<string, number>> {
  const meter = createMeter();
  meter.tell(
    async () => FIGURES,
    () => NOW,
  );
  meter.answered("GET", { route: "/api/alerts", status: 500 }, 1);
  meter.jobEnded("deliver", 1, true);
  meter.transactionBegun();
  meter.transactionEnded("committed", 1);
  meter.called({ peer: "channel email", operation: "send", outcome: "delivered" }, 1);
  meter.violated("script-src");
  return readings(meter);
}
