import { describe, expect, test } from "bun:test";
import { postgresOperations } from "../../src/operations/adapters/postgres/store.ts";
import type { LoggedEvent } from "../../src/operations/event_log_ports.ts";
import type { OperationsStore } from "../../src/operations/ports.ts";
import { memoryOperations } from "../memory/operations/store.ts";
import { ALICE } from "../support/builders.ts";
import { eachDatabase, type TestStore } from "../support/postgres.ts";

const NOW = new Date("2026-11-20T12:00:00.000Z");
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const BOB = "0198c0de-0000-7000-8000-0000000000b0";

const event = (more: Partial<LoggedEvent> = {}): LoggedEvent => ({
  id: Bun.randomUUIDv7(),
  type: "alert.raised",
  at: NOW,
  accountId: ALICE.accountId,
  actorId: undefined,
  about: { alertId: "a", baseline: false },
  ...more,
});

describe.each(eachDatabase(memoryOperations, postgresOperations))("EventLogRepository on %s", (_, open) => {
  const append = ({ transaction }: TestStore<OperationsStore>, events: LoggedEvent[], now = NOW) =>
    transaction((store) => store.eventLog.append(events, now));
  const list = ({ transaction }: TestStore<OperationsStore>, after = 0, accountId?: string) =>
    transaction((store) => store.eventLog.list(accountId === undefined ? {} : { accountId }, after, 100));

  test("lists what was appended in order, from any position, of all accounts or of one", async () => {
    const store = await open();
    const [first, second, third] = [event(), event({ accountId: BOB }), event()];
    await append(store, [first, second]);
    await append(store, [third]);
    const all = await list(store);
    expect(all.map(({ position: _, ...rest }) => rest)).toEqual([first, second, third]);
    expect((await list(store, all[0]?.position)).map(({ id }) => id)).toEqual([second.id, third.id]);
    expect((await list(store, 0, ALICE.accountId)).map(({ id }) => id)).toEqual([first.id, third.id]);
    expect(await list(store, all[2]?.position)).toEqual([]);
  });

  test("keeps the first of two events with one id", async () => {
    const store = await open();
    const one = event();
    await append(store, [one]);
    await append(store, [{ ...one, about: { alertId: "b" } }, event()]);
    const all = await list(store);
    expect(all).toHaveLength(2);
    expect(all[0]?.about).toEqual(one.about);
  });

  test("positions go on rising when the clock is put back, and after everything is removed", async () => {
    const store = await open();
    await append(store, [event()], at(10));
    await append(store, [event()], at(0));
    const [first, second] = await list(store);
    expect(second?.position).toBeGreaterThan(first?.position ?? Number.POSITIVE_INFINITY);
    await store.transaction(({ eventLog }) => eventLog.removeBefore(at(60)));
    expect(await list(store)).toEqual([]);
    await append(store, [event()], at(70));
    expect((await list(store, second?.position)).length).toBe(1);
  });

  test("removes what is older", async () => {
    const store = await open();
    await append(store, [event()], at(0));
    await append(store, [event({ accountId: BOB })], at(60));
    await store.transaction(({ eventLog }) => eventLog.removeBefore(at(30)));
    expect((await list(store)).map(({ accountId }) => accountId)).toEqual([BOB]);
  });

  test("forgets an account: its events, and its name in staff actions", async () => {
    const store = await open();
    const act = { type: "staff.acted", about: { act: "account_locked" } } as const;
    const on = event({ ...act, actorId: BOB });
    const by = event({ ...act, accountId: BOB, actorId: ALICE.accountId });
    await append(store, [event(), on, by, event({ accountId: BOB })]);
    await store.transaction(({ eventLog }) => eventLog.forget([ALICE.accountId]));
    const left = (await list(store)).map(({ type, accountId, actorId }) => ({ type, accountId, actorId }));
    expect(left).toEqual([
      { type: "staff.acted", accountId: undefined, actorId: BOB },
      { type: "staff.acted", accountId: BOB, actorId: undefined },
      { type: "alert.raised", accountId: BOB, actorId: undefined },
    ]);
  });

  test("counts what is behind a position", async () => {
    const store = await open();
    await append(store, [event({ at: at(-5) }), event({ at: at(-3) })]);
    const [first] = await list(store);
    const count = (position: number) => store.transaction(({ eventLog }) => eventLog.countAfter(position));
    expect(await count(0)).toEqual({ waiting: 2, oldest: at(-5) });
    expect(await count(first?.position ?? 0)).toEqual({ waiting: 1, oldest: at(-3) });
    expect(await count(Number.MAX_SAFE_INTEGER)).toEqual({ waiting: 0, oldest: undefined });
  });

  test("a reader that follows the log misses nothing of many concurrent writers", async () => {
    const store = await open();
    const seen: string[] = [];
    let position = 0;
    let isWriting = true;
    const reading = (async () => {
      for (let isLast = false; !isLast; ) {
        isLast = !isWriting;
        for (const entry of await list(store, position)) {
          seen.push(entry.id);
          position = entry.position;
        }
      }
    })();
    const written = Array.from({ length: 60 }, () => [event(), event()]);
    await Promise.all(written.map((events) => append(store, events)));
    isWriting = false;
    await reading;
    while (seen.length < 120) {
      const more = await list(store, position);
      if (more.length === 0) break;
      seen.push(...more.map(({ id }) => id));
      position = more.at(-1)?.position ?? position;
    }
    expect(seen.toSorted()).toEqual(
      written
        .flat()
        .map(({ id }) => id)
        .toSorted(),
    );
  });
});

describe.each(eachDatabase(memoryOperations, postgresOperations))("SinkRepository on %s", (_, open) => {
  const claim = ({ transaction }: TestStore<OperationsStore>, seconds: number) =>
    transaction(({ sinks }) => sinks.claim("syslog", at(seconds), at(seconds + 60)));

  test("one process at a time has a destination, until it is released or the time is over", async () => {
    const store = await open();
    const claims = await Promise.all([0, 0, 0].map((seconds) => claim(store, seconds)));
    expect(claims.filter(Boolean)).toEqual([{ position: 0, failures: 0, trouble: undefined }]);
    expect(await claim(store, 59)).toBeUndefined();
    expect(await claim(store, 60)).toBeDefined();
    await store.transaction(({ sinks }) => sinks.release("syslog"));
    expect(await claim(store, 61)).toBeDefined();
  });

  test("its position never goes back, and a failure waits for its time", async () => {
    const store = await open();
    await claim(store, 0);
    await store.transaction(({ sinks }) => sinks.advance("syslog", 7, at(1)));
    await store.transaction(({ sinks }) => sinks.advance("syslog", 5, at(1)));
    await store.transaction(({ sinks }) => sinks.fail("syslog", "refused", at(30)));
    const state = { position: 7, failures: 1, trouble: "refused" };
    expect(await store.transaction(({ sinks }) => sinks.list())).toEqual([{ name: "syslog", ...state }]);
    expect(await claim(store, 29)).toBeUndefined();
    expect(await claim(store, 30)).toEqual(state);
    await store.transaction(({ sinks }) => sinks.advance("syslog", 9, at(40)));
    expect(await claim(store, 41)).toEqual({ position: 9, failures: 0, trouble: undefined });
  });
});
