import { describe, expect, test } from "bun:test";
import { nearestDot, timelineOf } from "../../web/breaches/timeline.ts";

const today = "2026-11-22";

describe("timelineOf()", () => {
  test("timelineOf() places days from left to right, within the width", () => {
    const { dots, ticks } = timelineOf(["2013-10-04", "2019-01-01", "2026-11-20"], { width: 600, today });
    const xs = dots.map(({ x }) => x);
    expect(xs).toEqual(xs.toSorted((one, other) => one - other));
    expect(Math.min(...xs)).toBeGreaterThan(0);
    expect(Math.max(...xs)).toBeLessThan(600);
    expect(ticks.map(({ year }) => year)).toEqual([2014, 2016, 2018, 2020, 2022, 2024, 2026]);
  });

  test("timelineOf() leaves room for the labels of the years at any width", () => {
    for (const width of [280, 600, 1200]) {
      const { ticks } = timelineOf(["1996-05-01"], { width, today });
      const gaps = ticks.slice(1).map(({ x }, index) => x - (ticks[index]?.x ?? 0));
      expect(Math.min(...gaps)).toBeGreaterThan(36);
    }
  });

  test("timelineOf() stacks simultaneous events, without overlapping dots", () => {
    const days = Array.from({ length: 40 }, (_, index) => `2024-0${1 + (index % 3)}-01`).sort();
    const { dots, radius, axis } = timelineOf(days, { width: 320, today });
    for (const one of dots)
      for (const other of dots)
        if (one !== other) expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThanOrEqual(2 * radius);
    expect(Math.min(...dots.map(({ y }) => y))).toBeGreaterThanOrEqual(radius);
    expect(Math.max(...dots.map(({ y }) => y + radius))).toBeLessThanOrEqual(axis);
  });

  test("timelineOf() has an axis for a single breach of today", () => {
    const { dots, ticks } = timelineOf([today], { width: 300, today });
    expect(dots).toHaveLength(1);
    expect(ticks.length).toBeGreaterThanOrEqual(3);
  });
});

test("nearestDot() finds the dot at a point, and none that is far away", () => {
  const timeline = timelineOf(["2013-10-04", "2025-01-01"], { width: 600, today });
  const [, second] = timeline.dots;
  expect(nearestDot(timeline, { x: (second?.x ?? 0) + 9, y: second?.y ?? 0 })).toBe(1);
  expect(nearestDot(timeline, { x: 250, y: 10 })).toBeUndefined();
});
