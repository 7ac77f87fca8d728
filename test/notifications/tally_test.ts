import { describe, expect, test } from "bun:test";
import { cancelled, newDelivery, postponed } from "../../src/notifications/delivery/delivery.ts";
import type { DailyStats, Delivery } from "../../src/notifications/ports.ts";
import { figuresOf } from "../../src/notifications/reporting/delivery_stats.ts";
import { bucketOf, histogramOf, merged } from "../../src/notifications/reporting/latency.ts";
import { statOf } from "../../src/notifications/reporting/tally.ts";
import { HOUR, MINUTE, SECOND } from "../support/clock.ts";

const NOW = new Date("2026-11-20T12:00:00.000Z");
const at = (ms: number) => new Date(NOW.getTime() + ms);
const ID = "0190a000-0000-7000-8000-00000000000b";

function delivery(more: Partial<Delivery> = {}): Delivery {
  const about = { kind: "alert", associationId: ID, alertId: ID } as const;
  const recipient = { channel: "email", value: "alice@example.com" } as const;
  const parts = { id: ID, host: "breachbell.example", subject: `alert:${ID}`, recipient, about, now: NOW };
  return { ...newDelivery({ ...parts, language: "en" }), ...more };
}
const sent = (ms: number, more: Partial<Delivery> = {}) => delivery({ state: "sent", endedAt: at(ms), ...more });

describe("statOf()", () => {
  test("counts an accepted alert by its day, channel, and time since detection", () => {
    expect(statOf(sent(4 * SECOND), { detectedAt: at(-2 * SECOND) })).toEqual({
      day: "2026-11-20",
      channel: "email",
      slot: 3,
      end: "accepted",
      inDoubt: false,
      bucket: bucketOf(6 * SECOND),
    });
  });

  test("starts the clock when its recipient wants it, after quiet hours or at the digest's hour", () => {
    const waited = { ...postponed(delivery(), { reason: "quiet", until: at(8 * HOUR) }), state: "sent" } as const;
    const tally = statOf({ ...waited, endedAt: at(8 * HOUR + 20 * SECOND) }, { detectedAt: NOW });
    expect(tally?.bucket).toBe(bucketOf(20 * SECOND));
  });

  test("counts a log-in code without a latency, as nothing was detected", () => {
    const code = sent(SECOND, { about: { kind: "login_code", params: {} } });
    expect(statOf(code)).toMatchObject({ end: "accepted", bucket: undefined });
  });

  test("distinguishes a failure from an unknown recipient, and expired from unwanted", () => {
    const ended = { endedAt: at(MINUTE) };
    expect(statOf(delivery({ ...ended, state: "dead", reason: "gave_up" }))?.end).toBe("failed");
    expect(statOf(delivery({ ...ended, state: "dead", reason: "rejected" }))?.end).toBe("failed");
    expect(statOf(delivery({ ...ended, state: "dead", reason: "refused" }))?.end).toBe("refused");
    expect(statOf(cancelled(delivery(), "expired", NOW))?.end).toBe("failed");
    expect(statOf(cancelled(delivery(), "alert_gone", NOW))).toBeUndefined();
    expect(statOf(cancelled(delivery(), "gathered", NOW))).toBeUndefined();
  });

  test("counts possible duplicates, but only where the message was accepted", () => {
    expect(statOf(sent(0, { inDoubt: true }))?.inDoubt).toBe(true);
    expect(statOf(delivery({ state: "dead", reason: "gave_up", endedAt: NOW, inDoubt: true }))?.inDoubt).toBe(false);
  });

  test("excludes tests, drills, and unfinished deliveries", () => {
    expect(statOf(sent(0, { about: { kind: "test" } }))).toBeUndefined();
    expect(statOf(sent(0), { madeUp: true, detectedAt: NOW })).toBeUndefined();
    expect(statOf(delivery({ reason: "retry" }))).toBeUndefined();
  });
});

function day(more: Partial<DailyStats>): DailyStats {
  const nothing = { accepted: 0, failed: 0, refused: 0, inDoubt: 0, latencies: histogramOf(undefined) };
  return { day: "2026-11-19", channel: "email", ...nothing, ...more };
}
const took = (seconds: number, times: number) =>
  merged(Array.from({ length: times }, () => histogramOf(bucketOf(seconds * SECOND))));

describe("figuresOf()", () => {
  test("returns rates and percentiles, rounded so that a failure remains visible", () => {
    const figures = figuresOf(
      [
        day({ accepted: 1999, failed: 1, inDoubt: 1, latencies: merged([took(2, 94), took(90, 6)]) }),
        day({ channel: "telegram", accepted: 20, refused: 30, latencies: took(1, 20) }),
      ],
      ["email", "telegram", "ntfy"],
    );
    expect(figures).toMatchObject({ medianSeconds: 2, p95Seconds: 2, possiblyTwicePercent: 0.1 });
    expect(figures.channels).toEqual([
      { channel: "email", successPercent: 99.9, days: [{ day: "2026-11-19", successPercent: 99.9 }] },
      { channel: "telegram", successPercent: 100, days: [{ day: "2026-11-19", successPercent: 100 }] },
      { channel: "ntfy", successPercent: null, days: [] },
    ]);
  });

  test("returns nothing for fewer than ten messages, not even that there were any", () => {
    const few = figuresOf([day({ accepted: 8, failed: 1, latencies: took(2, 9) })], ["email"]);
    expect(few).toEqual(figuresOf([], ["email"]));
    expect(few).toMatchObject({ medianSeconds: null, p95Seconds: null, possiblyTwicePercent: null, days: [] });
  });

  test("combines small days where they are enough together, and still returns none of them separately", () => {
    const days = ["2026-11-17", "2026-11-18"].map((name) => day({ day: name, accepted: 6, latencies: took(3, 6) }));
    const figures = figuresOf(days, ["email"]);
    expect(figures).toMatchObject({ medianSeconds: 3, days: [] });
    expect(figures.channels).toEqual([{ channel: "email", successPercent: 100, days: [] }]);
  });
});
