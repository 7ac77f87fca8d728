import { describe, expect, test } from "bun:test";
import { jobThrottle } from "../../src/database/job_throttle.ts";

/** A clock that stands still until it is told to go on; what was asked for later happens in its order. */
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
  test("holds up nothing while nobody asks", () => {
    expect(opened().yieldToRequests()).toBeUndefined();
  });

  test("lets a few things at a time go on while people ask", async () => {
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

  test("lets all go on when nobody has asked for a while", async () => {
    const { noteRequest, pass, done, work, yieldToRequests } = opened();
    noteRequest();
    for (let number = 0; number < 40; number++) work(`${number}`);
    await pass(99);
    expect(done).toHaveLength(24);
    await pass(5);
    expect(done).toHaveLength(40);
    expect(yieldToRequests()).toBeUndefined();
  });

  test("forgets nothing, however long people ask", async () => {
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
  test("says yes to every job while nobody asks", () => {
    const { mayBegin, noteJob } = opened();
    noteJob(500);
    expect(mayBegin(0, 3)).toBe(true);
  });

  test("lets one job work at a time while people ask, and says when to look again", async () => {
    const { mayBegin, noteRequest, pass, looks } = opened();
    noteRequest();
    expect([mayBegin(0, 0), mayBegin(0, 1)]).toEqual([true, false]);
    await pass(99);
    expect(looks()).toBe(0);
    await pass(1);
    expect(looks()).toBe(1);
    expect(mayBegin(0, 1)).toBe(true);
  });

  test("rests after what took long, for as long as that, and not after what was short", async () => {
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

  test("looks again when a rest is over, though others wait for longer", async () => {
    const { mayBegin, noteJob, noteRequest, pass, looks } = opened();
    noteRequest();
    expect(mayBegin(0, 1)).toBe(false);
    noteJob(20);
    expect(mayBegin(0, 0)).toBe(false);
    await pass(20);
    expect(looks()).toBe(1);
    expect(mayBegin(0, 0)).toBe(true);
  });

  test("rests for no longer than a moment", async () => {
    const { mayBegin, noteJob, noteRequest, pass } = opened();
    noteRequest();
    noteJob(4000);
    await pass(50);
    noteRequest();
    expect(mayBegin(0, 0)).toBe(true);
  });

  test("lets a job that has waited for a tenth of a second go on, however many ask", async () => {
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
