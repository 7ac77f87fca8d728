import { describe, expect, test } from "bun:test";
import { jobThrottle } from "../../src/database/job_throttle.ts";

/** A clock that only moves when told to; timers run in order. */
function standing() {
  let at = 0;
  const later: { at: number; then: () => void }[] = [];
  return {
    clock: { now: () => at, later: (ms: number, then: () => void) => void later.push({ at: at + ms, then }) },
    async pass(ms: number): Promise<void> {
      const until = at + ms;
      for (;;) {
        const [next] = later.filter((one) => one.at <= until).toSorted((one, other) => one.at - other.at);
        if (!next) break;
        later.splice(later.indexOf(next), 1);
        at = next.at;
        next.then();
        await Promise.resolve();
      }
      at = until;
      await Promise.resolve();
    },
  };
}

function opened() {
  const { clock, pass } = standing();
  const throttle = jobThrottle(clock);
  const done: string[] = [];
  const work = (name: string) => void Promise.resolve(throttle.yieldToRequests()).then(() => done.push(name));
  let lookedAgain = 0;
  const mayBegin = (from: number, others: number) => throttle.mayBegin(from, others, () => lookedAgain++);
  return { ...throttle, mayBegin, pass, done, work, looks: () => lookedAgain };
}

describe("yieldToRequests()", () => {
  test("delays nothing while there are no requests", () => {
    expect(opened().yieldToRequests()).toBeUndefined();
  });

  test("admits a few at a time during requests", async () => {
    const { noteRequest, pass, done, work } = opened();
    noteRequest();
    for (const name of ["one", "two", "three"]) work(name);
    await pass(7);
    expect(done).toEqual([]);
    await pass(1);
    expect(done).toEqual(["one", "two"]);
    await pass(8);
    expect(done).toEqual(["one", "two", "three"]);
  });

  test("releases all when there has been no request for a while", async () => {
    const { noteRequest, pass, done, work, yieldToRequests } = opened();
    noteRequest();
    for (let number = 0; number < 40; number++) work(`${number}`);
    await pass(99);
    expect(done).toHaveLength(24);
    await pass(5);
    expect(done).toHaveLength(40);
    expect(yieldToRequests()).toBeUndefined();
  });

  test("loses nothing, however long requests continue", async () => {
    const { noteRequest, pass, done, work } = opened();
    for (let number = 0; number < 200; number++) {
      noteRequest();
      work(`${number}`);
      await pass(4);
    }
    await pass(8);
    expect(done).toHaveLength(200);
  });
});

describe("mayBegin()", () => {
  test("admits every job while there are no requests", () => {
    const { mayBegin, noteJob } = opened();
    noteJob(500);
    expect(mayBegin(0, 3)).toBe(true);
  });

  test("admits one job at a time during requests, and returns when to ask again", async () => {
    const { mayBegin, noteRequest, pass, looks } = opened();
    noteRequest();
    expect([mayBegin(0, 0), mayBegin(0, 1)]).toEqual([true, false]);
    await pass(99);
    expect(looks()).toBe(0);
    await pass(1);
    expect(looks()).toBe(1);
    expect(mayBegin(0, 1)).toBe(true);
  });

  test("pauses after a long job for as long as that took, and not after a short one", async () => {
    const { mayBegin, noteJob, noteRequest, pass, looks } = opened();
    noteRequest();
    noteJob(15);
    expect(mayBegin(0, 0)).toBe(true);
    noteJob(20);
    expect(mayBegin(0, 0)).toBe(false);
    await pass(20);
    expect(looks()).toBe(1);
    expect(mayBegin(0, 0)).toBe(true);
  });

  test("asks again when a pause is over, even if others wait longer", async () => {
    const { mayBegin, noteJob, noteRequest, pass, looks } = opened();
    noteRequest();
    expect(mayBegin(0, 1)).toBe(false);
    noteJob(20);
    expect(mayBegin(0, 0)).toBe(false);
    await pass(20);
    expect(looks()).toBe(1);
    expect(mayBegin(0, 0)).toBe(true);
  });

  test("limits the pause", async () => {
    const { mayBegin, noteJob, noteRequest, pass } = opened();
    noteRequest();
    noteJob(4000);
    await pass(50);
    noteRequest();
    expect(mayBegin(0, 0)).toBe(true);
  });

  test("admits a job that has waited for a tenth of a second, however many requests there are", async () => {
    const { mayBegin, noteRequest, pass, looks } = opened();
    for (let turn = 0; turn < 10; turn++) {
      noteRequest();
      expect(mayBegin(0, 1)).toBe(false);
      await pass(10);
    }
    noteRequest();
    expect(looks()).toBeGreaterThan(0);
    expect(mayBegin(0, 1)).toBe(true);
  });
});
