import { describe, expect, test } from "bun:test";
import { postgresIdentity } from "../../src/identity/adapters/postgres/store.ts";
import type { Session } from "../../src/identity/ports.ts";
import { aCode, after, aResetToken, aSession, aUser, freshStore, NOW } from "../identity/rows.ts";
import { memoryIdentity } from "../memory/identity/store.ts";
import { eachDatabase } from "../support/postgres.ts";

describe.each(eachDatabase(memoryIdentity, postgresIdentity))("IdentityStore on %s", (_, open) => {
  const { within, alice, outbox } = freshStore(open);

  describe("users", () => {
    test("find() returns what add() stored, by id and by email", async () => {
      const user = await alice({ companyName: "Meyer AG", verifiedAt: after(5) });
      const bare = await alice({ email: "bob@example.com" });
      expect(await within(({ users }) => users.find(user.id))).toEqual(user);
      expect(await within(({ users }) => users.findForUpdate(user.id))).toEqual(user);
      expect(await within(({ users }) => users.findByEmail(user.email))).toEqual(user);
      expect(await within(({ users }) => users.find(bare.id))).toEqual(bare);
      const both = await within(({ users }) => users.listByIds([user.id, bare.id, crypto.randomUUID()]));
      expect(both).toEqual(expect.arrayContaining([user, bare]));
      expect(both).toHaveLength(2);
    });

    test("listGone() returns those that no account has", async () => {
      const [{ id }, gone] = [await alice(), crypto.randomUUID()];
      expect(await within(({ users }) => users.listGone([gone, id]))).toEqual([gone]);
      expect(await within(({ users }) => users.listGone([]))).toEqual([]);
    });

    test("hasVerified() is true once somebody has proven an email", async () => {
      const { id } = await alice({ verifiedAt: undefined });
      expect(await within(({ users }) => users.hasVerified())).toBe(false);
      await within(({ users }) => users.markVerified(id, NOW));
      expect(await within(({ users }) => users.hasVerified())).toBe(true);
    });

    test("find() returns nothing for unknown users", async () => {
      const unknown = crypto.randomUUID();
      expect(await within(({ users }) => users.find(unknown))).toBeUndefined();
      expect(await within(({ users }) => users.findForUpdate(unknown))).toBeUndefined();
      expect(await within(({ users }) => users.findByEmail("nobody@example.com"))).toBeUndefined();
    });

    test("add() lets one of ten concurrent accounts have an email", async () => {
      const added = await Promise.all(Array.from({ length: 10 }, () => within(({ users }) => users.add(aUser()))));
      expect(added.filter(Boolean)).toHaveLength(1);
    });

    test("add() copies the caller's object", async () => {
      const user = await alice({ createdAt: new Date(NOW) });
      const stored = structuredClone(user);
      user.firstName = "Mallory";
      user.createdAt.setTime(0);
      expect(await within(({ users }) => users.find(user.id))).toEqual(stored);
    });

    test("setNetwork() stores the network of the account's latest log-in", async () => {
      const { id } = await alice();
      await within(({ users }) => users.setNetwork(id, "one"));
      await within(({ users }) => users.setNetwork(id, "another"));
      expect((await within(({ users }) => users.find(id)))?.network).toBe("another");
    });

    test("markVerified() keeps the first time", async () => {
      const { id } = await alice();
      await within(({ users }) => users.markVerified(id, after(1)));
      await within(({ users }) => users.markVerified(id, after(2)));
      expect((await within(({ users }) => users.find(id)))?.verifiedAt).toEqual(after(1));
    });

    test("replacePasswordHash() succeeds once against the same hash", async () => {
      const { id } = await alice();
      const won = await Promise.all(
        ["a", "b", "c"].map((to) => within(({ users }) => users.replacePasswordHash(id, "hash", to))),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
    });

    test("removeUnverified() skips a verified account, succeeds once, and removes sessions, codes and its link", async () => {
      const proven = await alice({ email: "bob@example.com", verifiedAt: NOW });
      const { id } = await alice();
      const code = aCode(id);
      const [partial, full] = [aSession(id, { challengeId: code.id }), aSession(id)];
      const link = aResetToken(id);
      await within(async ({ loginCodes, sessions, resetTokens }) => {
        await loginCodes.save(code);
        await sessions.open(partial, 100);
        await sessions.open(full, 100);
        await resetTokens.save(link);
      });
      expect(await within(({ users }) => users.removeUnverified(proven.id))).toBe(false);
      const won = await Promise.all([1, 2, 3].map(() => within(({ users }) => users.removeUnverified(id))));
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await within(({ users }) => users.find(id))).toBeUndefined();
      expect(await within(({ loginCodes }) => loginCodes.find(code.id))).toBeUndefined();
      expect(await within(({ resetTokens }) => resetTokens.findLiving(link.tokenHash, NOW))).toBeUndefined();
      for (const { tokenHash } of [partial, full])
        expect(await within(({ sessions }) => sessions.findLiving(tokenHash, NOW))).toBeUndefined();
    });

    test("listUnverified() lists the oldest unverified accounts", async () => {
      const second = await alice({ createdAt: after(2) });
      const first = await alice({ email: "bob@example.com", createdAt: after(1) });
      await alice({ email: "charlie@example.com", verifiedAt: NOW });
      await alice({ email: "late@example.com", createdAt: after(3) });
      expect(await within(({ users }) => users.listUnverified(after(3), 10))).toEqual([first.id, second.id]);
      expect(await within(({ users }) => users.listUnverified(after(3), 1))).toEqual([first.id]);
    });
  });

  describe("sessions", () => {
    test("findLiving() returns what add() stored, with the account's language, until it expires", async () => {
      const { id } = await alice();
      const code = aCode(id);
      const [partial, full] = [aSession(id, { challengeId: code.id }), aSession(id)];
      await within(async ({ loginCodes, sessions }) => {
        await loginCodes.save(code);
        await sessions.open(partial, 100);
        await sessions.open(full, 100);
      });
      const living = (tokenHash: string, ms: number) =>
        within(({ sessions }) => sessions.findLiving(tokenHash, after(ms)));
      expect(await living(partial.tokenHash, 999)).toEqual({
        ...partial,
        language: "de",
        staff: false,
        deviceEpoch: 0,
      });
      expect(await living(full.tokenHash, 999)).toEqual({ ...full, language: "de", staff: false, deviceEpoch: 0 });
      expect(await living(full.tokenHash, 1000)).toBeUndefined();
      expect(await living("unknown", 0)).toBeUndefined();
      const listed = (ms: number) =>
        within(({ sessions }) => sessions.listLiving([partial.tokenHash, "unknown", full.tokenHash], after(ms)));
      const seenAs = ({ id, tokenHash, accountId, level, confirmedAt, createdAt, lastSeenAt }: Session) =>
        expect.objectContaining({
          id,
          tokenHash,
          accountId,
          level,
          confirmedAt,
          createdAt,
          lastSeenAt,
          language: "de",
          staff: false,
        });
      expect(await listed(999)).toHaveLength(2);
      expect(await listed(999)).toEqual(expect.arrayContaining([seenAs(partial), seenAs(full)]));
      expect(await listed(1000)).toEqual([]);
      expect(await within(({ sessions }) => sessions.listLiving([], NOW))).toEqual([]);
    });

    test("touch() moves the last use and the end, and does not restore a removed session", async () => {
      const { id } = await alice();
      const [session, ended] = [aSession(id), aSession(id)];
      await within(async ({ sessions }) => {
        await sessions.open(session, 100);
        await sessions.open(ended, 100);
        await sessions.remove(ended.tokenHash);
        await sessions.touch(session.id, after(10), after(2000));
        await sessions.touch(ended.id, after(10), after(2000));
      });
      const found = await within(({ sessions }) => sessions.findLiving(session.tokenHash, after(1500)));
      expect(found).toMatchObject({ lastSeenAt: after(10), expiresAt: after(2000) });
      expect(await within(({ sessions }) => sessions.findLiving(ended.tokenHash, NOW))).toBeUndefined();
    });

    test("open() adds a session and removes the oldest of its level and account", async () => {
      const { id } = await alice();
      const bob = await alice({ email: "bob@example.com" });
      const code = aCode(id);
      const full = [3, 1, 2].map((ms) => aSession(id, { createdAt: after(ms) }));
      const opened = aSession(id, { createdAt: after(4) });
      const others = [aSession(id, { challengeId: code.id }), aSession(bob.id)];
      await within(async ({ loginCodes, sessions }) => {
        await loginCodes.save(code);
        for (const session of [...full, ...others]) await sessions.open(session, 100);
        await sessions.open(opened, 3);
      });
      const living = await Promise.all(
        [opened, ...full, ...others].map(({ tokenHash }) =>
          within(async ({ sessions }) => (await sessions.findLiving(tokenHash, NOW)) !== undefined),
        ),
      );
      expect(living).toEqual([true, true, false, true, true, true]);
    });

    test("removeExpired() removes expired sessions and nothing else", async () => {
      const { id } = await alice();
      const [over, living] = [aSession(id), aSession(id, { expiresAt: after(1001) })];
      await within(async ({ sessions }) => {
        await sessions.open(over, 100);
        await sessions.open(living, 100);
        await sessions.removeExpired(after(1000));
      });
      expect(await within(({ sessions }) => sessions.findLiving(over.tokenHash, NOW))).toBeUndefined();
      expect(await within(({ sessions }) => sessions.findLiving(living.tokenHash, NOW))).toBeDefined();
    });
  });

  test("removeByAccount() ends all sessions and codes of one account", async () => {
    const { id } = await alice();
    const bob = await alice({ email: "bob@example.com" });
    const [code, other] = [aCode(id), aCode(bob.id)];
    const own = [aSession(id), aSession(id, { challengeId: code.id }), aSession(id)];
    const foreign = [aSession(bob.id), aSession(bob.id, { challengeId: other.id })];
    await within(async ({ loginCodes, sessions }) => {
      for (const row of [code, other]) await loginCodes.save(row);
      for (const session of [...own, ...foreign]) await sessions.open(session, 100);
      await loginCodes.removeByAccount(id);
    });
    const living = async ({ tokenHash }: { tokenHash: string }) =>
      (await within(({ sessions }) => sessions.findLiving(tokenHash, NOW))) !== undefined;
    expect(await Promise.all(own.map(living))).toEqual([true, false, true]);
    await within(({ sessions }) => sessions.removeByAccount(id));
    expect(await Promise.all(own.map(living))).toEqual([false, false, false]);
    expect(await Promise.all(foreign.map(living))).toEqual([true, true]);
    expect(await within(({ loginCodes }) => loginCodes.find(code.id))).toBeUndefined();
    expect(await within(({ loginCodes }) => loginCodes.find(other.id))).toEqual(other);
  });

  test("endByProvider() ends the sessions of a person or with an id at one provider, and names the full ones' accounts", async () => {
    const { id } = await alice();
    const bob = await alice({ email: "bob@example.com" });
    const code = aCode(id);
    const at = (sid?: string, subject = "alice", provider = "home") => ({ provider: { provider, subject, sid } });
    const [one, two, unnamed] = [aSession(id, at("1")), aSession(id, at("2")), aSession(id, at())];
    const waiting = aSession(id, { ...at("3"), challengeId: code.id, level: "partial" });
    const elsewhere = aSession(id, at("1", "alice", "other"));
    const [byPassword, bobs] = [aSession(id), aSession(bob.id, at("4", "bob"))];
    const all = { one, two, unnamed, waiting, elsewhere, byPassword, bobs };
    await within(async ({ loginCodes, sessions }) => {
      await loginCodes.save(code);
      for (const session of Object.values(all)) await sessions.open(session, 100);
    });
    const end = (of: { subject?: string; sid?: string }) =>
      within(({ sessions }) => sessions.endByProvider({ provider: "home", ...of }));
    const left = async () => {
      const found = await Promise.all(
        Object.entries(all).map(async ([name, { tokenHash }]) =>
          (await within(({ sessions }) => sessions.findLiving(tokenHash, NOW))) ? [name] : [],
        ),
      );
      return found.flat();
    };
    expect(await end({})).toEqual([]);
    expect(await end({ subject: "mallory" })).toEqual([]);
    expect(await end({ sid: "1" })).toEqual([id]);
    expect(await left()).toEqual(["two", "unnamed", "waiting", "elsewhere", "byPassword", "bobs"]);
    // The unnamed one may be the session that is meant.
    expect(await end({ subject: "alice", sid: "2" })).toEqual([id, id]);
    expect(await left()).toEqual(["waiting", "elsewhere", "byPassword", "bobs"]);
    expect(await end({ subject: "alice" })).toEqual([]);
    expect(await left()).toEqual(["elsewhere", "byPassword", "bobs"]);
  });

  test("transaction() rolls back if its callback throws, events included", async () => {
    const user = aUser();
    const failing = within(async ({ users, attempts, events }) => {
      await users.add(user);
      await attempts.count("key", { tries: 3, windowMs: 1000, lockMs: 0 }, NOW);
      await events.publish({ type: "identity.deleted", accountId: user.id });
      throw new Error("Cannot go on");
    });
    await expect(failing).rejects.toThrow("Cannot go on");
    expect(await within(({ users }) => users.find(user.id))).toBeUndefined();
    expect((await outbox().backlog()).waiting).toBe(0);
  });

  test("transaction() refuses a nested one", async () => {
    await expect(within(() => within(async () => "inside"))).rejects.toThrow(
      "Cannot open a transaction inside a transaction",
    );
  });
});
