import { describe, expect, test } from "bun:test";
import { lengthOf, outcomeOf } from "../../web/notifications/drill_outcome.ts";

const START = "2026-03-02T08:00:00.000Z";
type DrillDelivery = Parameters<typeof outcomeOf>[0][number];

function told(
  state: DrillDelivery["state"],
  reason: DrillDelivery["reason"] = null,
  at = "2026-03-02T08:00:04.000Z",
): DrillDelivery {
  return { state, reason, at };
}

describe("the messages of a fire drill", () => {
  test.each([
    ["under_way", []],
    ["under_way", [told("accepted"), told("sending"), told("refused", "refused")]],
    ["under_way", [told("queued")]],
    ["works", [told("accepted"), told("accepted")]],
    ["waiting", [told("accepted"), told("waiting", "quiet")]],
    ["waiting", [told("retrying", "retry")]],
    ["failed", [told("accepted"), told("waiting", "unconfirmed"), told("refused", "gave_up")]],
    ["failed", [told("skipped", "contact_broken")]],
    ["needless", [told("skipped", "already_settled")]],
    ["works", [told("accepted"), told("skipped", "already_settled")]],
  ] as const)("is %s", (kind, deliveries) => {
    expect(outcomeOf([...deliveries], START).kind).toBe(kind);
  });

  test("count the contacts reached, until the last of them", () => {
    const deliveries = [
      told("accepted", null, "2026-03-02T08:00:09.000Z"),
      told("accepted"),
      told("refused", "refused", "2026-03-02T08:01:00.000Z"),
      told("skipped", "already_settled"),
    ];
    expect(outcomeOf(deliveries, START)).toMatchObject({ reached: 2, total: 3, tookMs: 9000 });
    expect(outcomeOf([told("accepted", null, "2026-03-02T07:59:59.000Z")], START).tookMs).toBe(0);
  });

  test.each([
    [0, 1, "second"],
    [4400, 4, "second"],
    [119_000, 119, "second"],
    [120_000, 2, "minute"],
    [7_199_000, 120, "minute"],
    [7_200_000, 2, "hour"],
  ] as const)("tells %i ms as %i of %s", (ms, value, unit) => {
    expect(lengthOf(ms)).toEqual({ value, unit });
  });
});
