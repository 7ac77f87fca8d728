import { describe, expect, test } from "bun:test";
import type { AuditEvent } from "../../src/identity/account/audit_ports.ts";
import { postgresIdentity } from "../../src/identity/adapters/postgres/store.ts";
import { after, freshStore, NOW } from "../identity/rows.ts";
import { memoryIdentity } from "../memory/identity/store.ts";
import { eachDatabase } from "../support/postgres.ts";

const ALICE = crypto.randomUUID();
const BOB = crypto.randomUUID();
const YEARS_AGO = new Date("2020-01-01T00:00:00Z");

function anEvent(changed: Partial<AuditEvent> = {}): AuditEvent {
  return {
    id: Bun.randomUUIDv7(),
    at: NOW,
    accountId: ALICE,
    event: "signed_in",
    sessionMark: "0123456789ab",
    ipPrefix: "192.0.2.0/24",
    device: { browser: "Firefox", system: "Linux" },
    detail: { by: "email" },
    ...changed,
  };
}

describe.each(eachDatabase(memoryIdentity, postgresIdentity))("the audit log of IdentityStore on %s", (_, open) => {
  const { within, alice } = freshStore(open);
  async function add(...events: AuditEvent[]): Promise<void> {
    await within(async ({ audit }) => {
      for (const event of events) await audit.add(event);
    });
  }
  const list = (accountId: string, { since = NOW, limit = 10 } = {}) =>
    within(({ audit }) => audit.list(accountId, since, limit));

  test("list() returns what add() stored, newest first, for one account", async () => {
    const bare = { sessionMark: undefined, ipPrefix: undefined, device: {}, detail: {} };
    const first = anEvent(bare);
    const [last, second] = [anEvent({ at: after(2) }), anEvent({ at: after(1), event: "password_wrong" })];
    await add(first, last, second, anEvent({ accountId: BOB }), anEvent({ accountId: undefined }));
    expect(await list(ALICE)).toEqual([last, second, first]);
    expect(await list(ALICE, { limit: 2 })).toEqual([last, second]);
    expect(await list(ALICE, { since: after(1) })).toEqual([last, second]);
    expect(await list(crypto.randomUUID())).toEqual([]);
  });

  test("list() keeps the order of events in the same millisecond", async () => {
    const events = ["sign_in_started", "code_wrong", "signed_in"] as const;
    const rows = events.map((event) => anEvent({ event }));
    await add(...rows);
    expect((await list(ALICE)).map(({ event }) => event)).toEqual(events.toReversed());
  });

  test("add() stores nothing in a transaction that fails", async () => {
    const failing = within(async ({ audit }) => {
      await audit.add(anEvent());
      throw new Error("Cannot go on");
    });
    await expect(failing).rejects.toThrow("Cannot go on");
    expect(await list(ALICE)).toEqual([]);
  });

  test("forget() anonymises one person, and nobody else", async () => {
    const bobs = anEvent({ accountId: BOB });
    await add(anEvent(), bobs);
    await within(({ audit }) => audit.forget(ALICE));
    expect(await list(ALICE)).toEqual([]);
    expect(await list(BOB)).toEqual([bobs]);
  });

  test("removeBefore() removes older entries of all accounts, and nothing else", async () => {
    const [old, kept] = [anEvent({ at: YEARS_AGO }), anEvent({ at: new Date(YEARS_AGO.getTime() + 1) })];
    await add(old, anEvent({ at: YEARS_AGO, accountId: undefined }), kept);
    await within(({ audit }) => audit.removeBefore(kept.at));
    expect(await list(ALICE, { since: YEARS_AGO })).toEqual([kept]);
  });

  test("an account's log outlives the account, until it is anonymised", async () => {
    const { id } = await alice();
    const event = anEvent({ accountId: id });
    await add(event);
    expect(await within(({ users }) => users.remove(id))).toBe(true);
    expect(await list(id)).toEqual([event]);
  });
});
