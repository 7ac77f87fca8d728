import { describe, expect, test } from "bun:test";
import "../../src/database/callers.ts";
import { inBackground, isInBackground } from "../../src/database/priority_queue.ts";
import { patienceLeft, waitedInVain, waitingOnce } from "../../src/database/request_deadline.ts";
import { runJobs } from "../../src/runtime/jobs.ts";
import { joined, lookUp, together } from "../../src/shared/batching.ts";
import { oneAtATime } from "../../src/shared/callers.ts";
import { currentFacts, withFacts } from "../../src/telemetry/context.ts";
import { memoryDatabase } from "../memory/database.ts";

const DEADLINE_MS = 4500;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** The priority, deadline and log context in which work runs. */
const situation = () => ({
  isBackground: isInBackground(),
  patience: patienceLeft(DEADLINE_MS),
  facts: currentFacts(),
});
const OF_A_REQUEST = { isBackground: false, patience: DEADLINE_MS, facts: {} };
const OF_A_JOB = { ...OF_A_REQUEST, isBackground: true };

type Asked = { keys: string[] } & ReturnType<typeof situation>;

/** Queries a key as a request, with its context, or as a job. */
const asRequest = <T>(work: () => T) => withFacts({ requestId: "r" }, () => waitingOnce(work));
const asJob = <T>(work: () => T) => withFacts({ job: "j" }, () => inBackground(work));

describe("joined()", () => {
  function world(fails = false) {
    const asked: Asked[] = [];
    const ask = joined(async (keys: string[]) => {
      asked.push({ keys, ...situation() });
      if (fails) waitedInVain(1000);
      return new Map(keys.map((key) => [key, key]));
    });
    return { asked, ask };
  }

  test("runs as a request even if a job asked first", async () => {
    const { asked, ask } = world();
    await Promise.all([asJob(() => ask("a")), asRequest(() => ask("b"))]);
    expect(asked).toEqual([{ keys: ["a", "b"], ...OF_A_REQUEST }]);
  });

  test("runs as a job if only jobs ask", async () => {
    const { asked, ask } = world();
    await Promise.all([asJob(() => ask("a")), asJob(() => ask("b"))]);
    expect(asked).toEqual([{ keys: ["a", "b"], ...OF_A_JOB }]);
  });

  test("has the longest deadline of its callers, and its wait counts for each", async () => {
    const { asked, ask } = world(true);
    const left: number[] = [];
    const after = (spentMs: number, key: string) =>
      waitingOnce(async () => {
        waitedInVain(spentMs);
        await ask(key);
        left.push(patienceLeft(DEADLINE_MS));
      });
    await Promise.all([after(4500, "a"), after(500, "b")]);
    expect(asked.map(({ patience }) => patience)).toEqual([4000]);
    expect(left).toEqual([-1000, 3000]);
  });

  test("rejects callers inside a transaction, and only those", async () => {
    const { asked, ask } = world();
    const transaction = memoryDatabase().transactionOf(() => ({}));
    const inside = transaction(() => ask("a"));
    const outside = ask("b");
    await expect(inside).rejects.toThrow("Cannot open a transaction inside a transaction");
    expect(await outside).toBe("b");
    expect(asked.map(({ keys }) => keys)).toEqual([["b"]]);
  });
});

describe("together()", () => {
  function held() {
    const asked: Asked[] = [];
    const gates: (() => void)[] = [];
    const ask = together(async (keys: string[]) => {
      asked.push({ keys, ...situation() });
      await new Promise<void>((resolve) => gates.push(resolve));
      return keys;
    });
    return { asked, gates, ask };
  }

  test("lets a request's call run as a request's even if a job called first", async () => {
    const { asked, gates, ask } = held();
    const calls = [asJob(() => ask("job")), asRequest(() => ask("request"))];
    await turn();
    expect(asked.find(({ keys }) => keys.includes("request"))).toMatchObject(OF_A_REQUEST);
    for (const goOn of gates) goOn();
    expect(await Promise.all(calls)).toEqual(["job", "request"]);
  });

  test("does not let a request's call wait for a batch of jobs in progress", async () => {
    const { asked, gates, ask } = held();
    const job = asJob(() => ask("job"));
    await turn();
    const request = asRequest(() => ask("request"));
    await turn();
    expect(asked).toEqual([
      { keys: ["job"], ...OF_A_JOB },
      { keys: ["request"], ...OF_A_REQUEST },
    ]);
    for (const goOn of gates) goOn();
    expect(await Promise.all([job, request])).toEqual(["job", "request"]);
  });

  test("a batch after a request's one does not belong to that request", async () => {
    const { asked, gates, ask } = held();
    const first = asRequest(() => {
      waitedInVain(4500);
      return ask("impatient");
    });
    await turn();
    const second = asRequest(() => ask("patient"));
    gates[0]?.();
    await first;
    await turn();
    gates[1]?.();
    await second;
    expect(asked.map(({ patience }) => patience)).toEqual([0, DEADLINE_MS]);
    expect(asked.map(({ facts }) => facts)).toEqual([{}, {}]);
  });

  test("looks up for a request and a job together, as a request", async () => {
    const seen: boolean[] = [];
    const find = lookUp(
      async (ids) => {
        seen.push(isInBackground());
        return ids.map((id) => ({ id }));
      },
      ({ id }) => id,
    );
    await Promise.all([asJob(() => find("a")), asRequest(() => find("b"))]);
    expect(seen).toEqual([false]);
  });
});

describe("oneAtATime()", () => {
  test("belongs to no caller: a job that asks first, or a request with a short deadline, does not affect others", async () => {
    const seen: ReturnType<typeof situation>[] = [];
    let goOn = () => {};
    const ask = oneAtATime(async () => {
      seen.push(situation());
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      return seen.length;
    });
    const all = [asJob(() => waitingOnce(() => [waitedInVain(4500), ask()] as const)[1]), asRequest(ask)];
    await turn();
    goOn();
    expect(await Promise.all(all)).toEqual([1, 1]);
    const next = ask();
    await turn();
    goOn();
    expect(await next).toBe(2);
    expect(seen).toEqual([OF_A_REQUEST, OF_A_REQUEST]);
  });
});

describe("runJobs()", () => {
  test("a job triggered by a request is not part of that request, nor are its later runs", async () => {
    const seen: ReturnType<typeof situation>[] = [];
    const ends: ReturnType<typeof currentFacts>[] = [];
    const job = { name: "events", everyMs: 60_000, run: async () => void seen.push(situation()) };
    const runner = runJobs([job], () => {}, { quietMs: 60_000, onEnd: () => void ends.push(currentFacts()) });
    asRequest(() => {
      waitedInVain(4500);
      runner.nudge("events");
      runner.nudge("events");
    });
    for (let count = 0; count < 20; count++) await Promise.resolve();
    await runner.stop();
    expect(seen).toEqual([OF_A_JOB, OF_A_JOB]);
    expect(ends).toEqual([{}, {}]);
  });
});
