import { expect, test } from "bun:test";
import { rollingCount } from "../../src/shared/rolling_count.ts";
import { HOUR, MINUTE, testClock } from "../support/clock.ts";

test("counts what is within the window, drops what is older, and survives a clock that is set back", () => {
  const clock = testClock();
  const count = rollingCount(HOUR);
  for (let minute = 0; minute < 60; minute += 1) {
    count.add(clock.now());
    clock.pass(MINUTE);
  }
  expect(count.countAt(clock.now())).toBe(59);
  clock.pass(-MINUTE);
  expect(count.countAt(clock.now())).toBe(59);
  clock.pass(30 * MINUTE);
  expect(count.countAt(clock.now())).toBe(30);
  clock.pass(HOUR);
  expect(count.countAt(clock.now())).toBe(0);
});
