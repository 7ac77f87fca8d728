export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export type TestClock = { now: () => Date; pass(ms: number): void; set(time: string | Date): void };

/** A clock that only moves when told to. */
export function testClock(start: string | Date = "2026-11-20T12:00:00.000Z"): TestClock {
  let time = new Date(start).getTime();
  return {
    now: () => new Date(time),
    pass(ms) {
      time += ms;
    },
    set(to) {
      time = new Date(to).getTime();
    },
  };
}
