import { describe, expect, test } from "bun:test";
import type { EmailChange } from "../../src/identity/account/profile_ports.ts";
import { postgresIdentity } from "../../src/identity/adapters/postgres/store.ts";
import { aCode, after, aResetToken, aSession, freshStore, NOW } from "../identity/rows.ts";
import { memoryIdentity } from "../memory/identity/store.ts";
import { eachDatabase } from "../support/postgres.ts";

const DETAILS = {
  firstName: "Alicia",
  lastName: "Keller",
  companyName: "Keller AG",
  language: "fr" as const,
  defaultContacts: [
    { channel: "email" as const, value: "team@example.com" },
    { channel: "telegram" as const, value: "alicia_k" },
  ],
};

function aChange(accountId: string, changed: Partial<EmailChange> = {}): EmailChange {
  const times = { createdAt: NOW, expiresAt: after(1000) };
  return {
    accountId,
    email: "new@example.com",
    formerAddress: "end",
    tokenHash: crypto.randomUUID(),
    ...times,
    ...changed,
  };
}

describe.each(eachDatabase(memoryIdentity, postgresIdentity))("the profile of IdentityStore on %s", (_, open) => {
  const { within, alice, outbox } = freshStore(open);
  const find = (id: string) => within(({ users }) => users.find(id));
  const bobs = () => alice({ email: "bob@example.com" });

  describe("users", () => {
    test("saveDetails() stores the details of this account and nothing else", async () => {
      const user = await alice({ verifiedAt: NOW, wrongCodes: 3 });
      const bob = await bobs();
      await within(({ users }) => users.saveDetails(user.id, { ...DETAILS }));
      expect(await find(user.id)).toEqual({ ...user, ...DETAILS });
      const bare = { ...DETAILS, companyName: undefined, defaultContacts: [] };
      await within(({ users }) => users.saveDetails(user.id, bare));
      expect(await find(user.id)).toEqual({ ...user, ...bare });
      expect(await find(bob.id)).toEqual(bob);
    });

    test("saveDetails() copies the caller's list", async () => {
      const user = await alice();
      const details = structuredClone(DETAILS);
      await within(({ users }) => users.saveDetails(user.id, details));
      details.defaultContacts.pop();
      expect((await find(user.id))?.defaultContacts).toEqual(DETAILS.defaultContacts);
    });

    test("replaceEmail() changes the email unless another account has it; other changes of the transaction are kept", async () => {
      const user = await alice();
      const bob = await bobs();
      expect(await within(({ users }) => users.replaceEmail(user.id, "new@example.com"))).toBe(true);
      expect(await within(({ users }) => users.findByEmail("new@example.com"))).toEqual({
        ...user,
        email: "new@example.com",
      });
      expect(await within(({ users }) => users.findByEmail(user.email))).toBeUndefined();
      const refused = await within(async ({ users }) => {
        await users.countWrongCode(user.id);
        return users.replaceEmail(user.id, bob.email);
      });
      expect(refused).toBe(false);
      expect(await find(user.id)).toEqual({ ...user, email: "new@example.com", wrongCodes: 1 });
      expect(await within(({ users }) => users.replaceEmail(crypto.randomUUID(), "x@example.com"))).toBe(false);
    });

    test("replaceEmail() lets one of two concurrent accounts have an email", async () => {
      const ids = [(await alice()).id, (await bobs()).id];
      const moved = await Promise.all(
        ids.map((id) => within(({ users }) => users.replaceEmail(id, "new@example.com"))),
      );
      expect(moved.toSorted()).toEqual([false, true]);
    });

    test("remove() deletes everything of the account, once, and nothing of others", async () => {
      const { id } = await alice({ verifiedAt: NOW });
      const bob = await bobs();
      const codes: Record<string, string> = { [id]: crypto.randomUUID(), [bob.id]: crypto.randomUUID() };
      for (const accountId of [id, bob.id])
        await within(async (store) => {
          const code = aCode(accountId, { id: codes[accountId] ?? "" });
          await store.loginCodes.save(code);
          await store.sessions.open(aSession(accountId, { tokenHash: `full-${accountId}` }), 100);
          await store.sessions.open(aSession(accountId, { challengeId: code.id }), 100);
          await store.resetTokens.save(aResetToken(accountId, { tokenHash: `reset-${accountId}` }));
          await store.emailChanges.save(aChange(accountId));
        });
      const answers = await Promise.all(Array.from({ length: 5 }, () => within(({ users }) => users.remove(id))));
      expect(answers.filter(Boolean)).toHaveLength(1);
      const left = (accountId: string) =>
        within(async ({ users, sessions, loginCodes, resetTokens, emailChanges }) =>
          [
            await users.find(accountId),
            await sessions.findLiving(`full-${accountId}`, NOW),
            await loginCodes.find(codes[accountId] ?? ""),
            await resetTokens.findLiving(`reset-${accountId}`, NOW),
            await emailChanges.find(accountId, NOW),
          ].filter((row) => row !== undefined),
        );
      expect(await left(id)).toEqual([]);
      expect(await left(bob.id)).toHaveLength(5);
    });
  });

  describe("emailChanges", () => {
    const save = (change: EmailChange) => within(({ emailChanges }) => emailChanges.save(change));
    const living = (tokenHash: string, ms = 0) =>
      within(({ emailChanges }) => emailChanges.findLiving(tokenHash, after(ms)));
    const use = (tokenHash: string, ms = 0) => within(({ emailChanges }) => emailChanges.use(tokenHash, after(ms)));

    test("find() and findLiving() return what save() stored, until it expires", async () => {
      const change = aChange((await alice()).id);
      await save(change);
      const find = (ms: number) => within(({ emailChanges }) => emailChanges.find(change.accountId, after(ms)));
      for (const ms of [0, 999]) expect([await find(ms), await living(change.tokenHash, ms)]).toEqual([change, change]);
      expect([await find(1000), await living(change.tokenHash, 1000)]).toEqual([undefined, undefined]);
      expect(await living("unknown")).toBeUndefined();
    });

    test("save() lets the newest of an account void the former, and allows two accounts the same email", async () => {
      const { id } = await alice();
      const [first, second] = [aChange(id), aChange(id, { email: "other@example.com" })];
      const bob = aChange((await bobs()).id);
      for (const change of [first, bob, second]) await save(change);
      expect(await living(first.tokenHash)).toBeUndefined();
      expect(await living(second.tokenHash)).toEqual(second);
      expect(await living(bob.tokenHash)).toEqual(bob);
    });

    test("use() succeeds once of 50 concurrent calls, until it expires", async () => {
      const change = aChange((await alice()).id);
      const bob = aChange((await bobs()).id);
      await save(change);
      await save(bob);
      expect(await use(change.tokenHash, 1000)).toBe(false);
      const won = await Promise.all(Array.from({ length: 50 }, () => use(change.tokenHash, 999)));
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await living(change.tokenHash)).toBeUndefined();
      expect(await living(bob.tokenHash)).toEqual(bob);
    });

    test("remove() and removeExpired() delete what they name, and nothing else", async () => {
      const change = aChange((await alice()).id);
      const bob = aChange((await bobs()).id, { expiresAt: after(1001) });
      for (const each of [change, bob]) await save(each);
      await within(({ emailChanges }) => emailChanges.removeExpired(after(1000)));
      expect(await living(change.tokenHash)).toBeUndefined();
      expect(await living(bob.tokenHash)).toEqual(bob);
      await within(({ emailChanges }) => emailChanges.remove(change.accountId));
      expect(await living(bob.tokenHash)).toEqual(bob);
      await within(({ emailChanges }) => emailChanges.remove(bob.accountId));
      expect(await living(bob.tokenHash)).toBeUndefined();
    });
  });

  test("resetTokens.remove() voids the account's link, and no other", async () => {
    const mine = aResetToken((await alice()).id);
    const bob = aResetToken((await bobs()).id);
    await within(async ({ resetTokens }) => {
      for (const token of [mine, bob]) await resetTokens.save(token);
      await resetTokens.remove(mine.accountId);
      expect(await resetTokens.findLiving(mine.tokenHash, NOW)).toBeUndefined();
      expect(await resetTokens.findLiving(bob.tokenHash, NOW)).toEqual(bob);
    });
  });

  test("a rolled back transaction restores the email, the details and the account, and publishes nothing", async () => {
    const user = await alice();
    const broken = within(async ({ users, emailChanges, events }) => {
      await users.saveDetails(user.id, { ...DETAILS });
      await users.replaceEmail(user.id, "new@example.com");
      await emailChanges.save(aChange(user.id));
      await users.remove(user.id);
      await events.publish({ type: "identity.deleted", accountId: user.id });
      throw new Error("stop");
    });
    expect(broken).rejects.toThrow("stop");
    await broken.catch(() => undefined);
    expect(await find(user.id)).toEqual(user);
    expect(await within(({ emailChanges }) => emailChanges.find(user.id, NOW))).toBeUndefined();
    expect((await outbox().backlog()).waiting).toBe(0);
  });
});
