import { beforeEach, describe, expect, test } from "bun:test";
import type { EventSink, LoggedEvent, OperatorEvent } from "../../src/operations/event_log_ports.ts";
import { memoryDatabase } from "../memory/database.ts";
import { memoryOperations } from "../memory/operations/store.ts";
import { ALICE } from "../support/builders.ts";
import { MINUTE, SECOND, testClock } from "../support/clock.ts";
import { operationsOn } from "../support/operations.ts";

const never = () => false;

/** A destination that fails while `trouble` is set. */
function sinkNamed(name: string) {
  const got: OperatorEvent[][] = [];
  const state: { calls: number; trouble?: string | undefined; isSlow?: Promise<void> } = { calls: 0 };
  const sink: EventSink = {
    name,
    async send(events) {
      state.calls += 1;
      await state.isSlow;
      if (state.trouble !== undefined) throw new Error(state.trouble);
      got.push(events);
    },
  };
  return { sink, got, state, ids: () => got.flat().map(({ id }) => id) };
}

function office() {
  const clock = testClock();
  const database = memoryDatabase();
  const transaction = database.transactionOf(memoryOperations);
  const [first, second] = [sinkNamed("syslog"), sinkNamed("splunk")];
  const operations = operationsOn(database, { now: clock.now, sinks: [first.sink, second.sink] });
  const append = (count: number) => {
    const events = Array.from({ length: count }, (): LoggedEvent => {
      const about = { alertId: "a", associationId: "b", baseline: false };
      return { id: Bun.randomUUIDv7(), type: "alert.raised", at: clock.now(), accountId: ALICE.accountId, about };
    });
    return transaction((store) => store.eventLog.append(events, clock.now())).then(() => events.map(({ id }) => id));
  };
  return { clock, operations, append, first, second };
}

describe("Sending the operator's events", () => {
  let one: ReturnType<typeof office>;
  beforeEach(() => {
    one = office();
  });
  const send = (isOver = never) => one.operations.sendEvents("syslog", isOver);

  test("sends everything once, in order and in batches, and then what is new", async () => {
    const { first, append } = one;
    const ids = await append(450);
    await send();
    expect(first.ids()).toEqual(ids);
    expect(first.got.map(({ length }) => length)).toEqual([200, 200, 50]);
    await send();
    const more = await append(2);
    await send();
    expect(first.ids()).toEqual([...ids, ...more]);
  });

  test("a failed batch is sent again, later and later, and nothing is skipped", async () => {
    const { first, append, clock, operations } = one;
    const ids = await append(3);
    first.state.trouble = "Out of order";
    await expect(send()).rejects.toThrow("Out of order");
    expect((await operations.sinkLags())[0]).toMatchObject({ name: "syslog", waiting: 3, trouble: "Out of order" });
    await send();
    clock.pass(5 * SECOND);
    await expect(send()).rejects.toThrow("Out of order");
    clock.pass(5 * SECOND);
    await send();
    expect(first.got).toEqual([]);
    first.state.trouble = undefined;
    clock.pass(5 * MINUTE);
    await send();
    expect(first.ids()).toEqual(ids);
    expect((await operations.sinkLags())[0]).toEqual({
      name: "syslog",
      waiting: 0,
      oldest: undefined,
      trouble: undefined,
    });
  });

  test("one destination does not hold up another", async () => {
    const { first, second, append, operations } = one;
    const ids = await append(1);
    first.state.trouble = "Out of order";
    await expect(send()).rejects.toThrow();
    await operations.sendEvents("splunk", never);
    expect(second.ids()).toEqual(ids);
    expect(first.ids()).toEqual([]);
  });

  test("one process at a time sends; a dead one is replaced after a minute", async () => {
    const { first, append, clock } = one;
    await append(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    first.state.isSlow = promise;
    const sending = send();
    while (first.state.calls < 1) await Bun.sleep(0);
    await send();
    expect(first.state.calls).toBe(1);
    clock.pass(61 * SECOND);
    const again = send();
    while (first.state.calls < 2) await Bun.sleep(0);
    resolve();
    await Promise.all([sending, again]);
    expect(first.ids()).toHaveLength(2);
    expect(new Set(first.ids()).size).toBe(1);
  });

  test("stops between batches when the process does", async () => {
    const { first, append } = one;
    await append(450);
    await send(() => first.got.length > 0);
    expect(first.got).toHaveLength(1);
    await send();
    expect(first.ids()).toHaveLength(450);
  });

  test("knows how far behind a destination is", async () => {
    const { append, clock, operations } = one;
    const since = clock.now();
    await append(2);
    clock.pass(MINUTE);
    expect(await operations.sinkLags()).toEqual([
      { name: "syslog", waiting: 2, oldest: since, trouble: undefined },
      { name: "splunk", waiting: 2, oldest: since, trouble: undefined },
    ]);
  });
});
