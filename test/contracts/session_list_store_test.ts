import { describe, expect, test } from "bun:test";
import { postgresIdentity } from "../../src/identity/adapters/postgres/store.ts";
import type { Session } from "../../src/identity/ports.ts";
import { aCode, after, aSession, freshStore, NOW } from "../identity/rows.ts";
import { memoryIdentity } from "../memory/identity/store.ts";
import { eachDatabase } from "../support/postgres.ts";

describe.each(eachDatabase(memoryIdentity, postgresIdentity))("the session list of IdentityStore on %s", (_, open) => {
  const { within, alice } = freshStore(open);
  const living = (tokenHash: string) => within(({ sessions }) => sessions.findLiving(tokenHash, NOW));
  async function added(...rows: Session[]): Promise<void> {
    await within(async ({ sessions }) => {
      for (const row of rows) await sessions.open(row, 100);
    });
  }

  /** Two full sessions of Alice's and one that waits for its second step; one of Bob's. */
  async function four() {
    const { id } = await alice();
    const bob = await alice({ email: "bob@example.com" });
    const code = aCode(id);
    await within(({ loginCodes }) => loginCodes.save(code));
    const [first, second] = [aSession(id), aSession(id, { lastSeenAt: after(5), device: { browser: "Firefox" } })];
    const [partial, foreign] = [aSession(id, { challengeId: code.id }), aSession(bob.id)];
    await added(first, second, partial, foreign);
    return { id, first, second, partial, foreign };
  }

  test("list() returns the open full sessions of one account, most recently used first", async () => {
    const { id, first, second } = await four();
    await added(aSession(id, { expiresAt: NOW }));
    expect(await within(({ sessions }) => sessions.list(id, NOW))).toEqual([second, first]);
    expect(await within(({ sessions }) => sessions.list(id, after(1000)))).toEqual([]);
    expect(await within(({ sessions }) => sessions.list(crypto.randomUUID(), NOW))).toEqual([]);
  });

  test("end() ends a session of the account once, and none of another account", async () => {
    const { id, first, second, foreign } = await four();
    expect(await within(({ sessions }) => sessions.end(id, foreign.id))).toBe(false);
    expect(await within(({ sessions }) => sessions.end(id, crypto.randomUUID()))).toBe(false);
    const ended = await Promise.all([1, 2, 3].map(() => within(({ sessions }) => sessions.end(id, first.id))));
    expect(ended.filter(Boolean)).toHaveLength(1);
    expect(await living(first.tokenHash)).toBeUndefined();
    for (const { tokenHash } of [second, foreign]) expect(await living(tokenHash)).toBeDefined();
  });

  test("endOthers() ends all of the account but one, including those that wait for their second step", async () => {
    const { id, first, second, partial, foreign } = await four();
    expect(await within(({ sessions }) => sessions.endOthers(id, first.id))).toBe(2);
    for (const { tokenHash } of [second, partial]) expect(await living(tokenHash)).toBeUndefined();
    for (const { tokenHash } of [first, foreign]) expect(await living(tokenHash)).toBeDefined();
    expect(await within(({ sessions }) => sessions.endOthers(id, first.id))).toBe(0);
  });

  test("confirm() gives the session a new token once, with the time of the password", async () => {
    const { first, second } = await four();
    const renewals = ["a", "b", "c"].map((hash) =>
      within(async ({ sessions }) => ((await sessions.confirm(first, hash, after(7))) ? hash : undefined)),
    );
    const [winner, ...more] = (await Promise.all(renewals)).filter((hash) => hash !== undefined);
    expect(more).toEqual([]);
    const confirmed = { ...first, tokenHash: winner ?? "", confirmedAt: after(7) };
    expect(await living(winner ?? "")).toEqual({ ...confirmed, language: "de", staff: false, deviceEpoch: 0 });
    expect(await living(first.tokenHash)).toBeUndefined();
    expect(await living(second.tokenHash)).toEqual({ ...second, language: "de", staff: false, deviceEpoch: 0 });
  });

  test("confirm() does not restore an ended session", async () => {
    const { id, first } = await four();
    await within(({ sessions }) => sessions.end(id, first.id));
    expect(await within(({ sessions }) => sessions.confirm(first, "new", NOW))).toBe(false);
    expect(await living("new")).toBeUndefined();
  });

  test("countWrongCode() counts every concurrent one, resetWrongCodes() resets them", async () => {
    const { id } = await alice();
    const bob = await alice({ email: "bob@example.com", wrongCodes: 3 });
    await Promise.all(Array.from({ length: 20 }, () => within(({ users }) => users.countWrongCode(id))));
    expect((await within(({ users }) => users.find(id)))?.wrongCodes).toBe(20);
    await within(({ users }) => users.resetWrongCodes(id));
    expect((await within(({ users }) => users.find(id)))?.wrongCodes).toBe(0);
    expect((await within(({ users }) => users.find(bob.id)))?.wrongCodes).toBe(3);
  });
});
