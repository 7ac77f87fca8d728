import { beforeEach, describe, expect, test } from "bun:test";
import { fail, ok } from "../../src/shared/result.ts";
import { accepted } from "../support/builders.ts";
import { ALICE, BOB, HOME, identityWorld } from "./identity_world.ts";

let world: ReturnType<typeof identityWorld>;
let session: { accountId: string; sessionId: string };
let token: string;

beforeEach(async () => {
  world = identityWorld();
  for (const account of [ALICE, BOB]) await world.identity.register(account, { ip: "203.0.113.9" });
  await world.signIn(BOB, "203.0.113.8");
  token = await world.signIn();
  const { accountId = "", sessionId = "" } = (await world.identity.sessionOf(token)) ?? {};
  session = { accountId, sessionId };
});

const remove = (password = ALICE.password, of = session) =>
  world.identity.deleteAccount(of, { password, keepGrants: false }, { ip: HOME, token });
const audited = (accountId: string) => world.transaction(({ audit }) => audit.list(accountId, new Date(0), 100));
const WRONG = fail("PASSWORD_WRONG", { fields: { password: "PASSWORD_WRONG" } });

describe("deleteAccount()", () => {
  test("deleteAccount() deletes the account immediately, notifies other modules, and mails a farewell", async () => {
    const other = await world.signIn();
    const partial = await world.login();
    const before = (await world.published()).length;
    world.pass({ minutes: 20 });
    expect(await remove()).toEqual(ok());
    expect((await world.published()).slice(before)).toEqual([
      { type: "identity.deleted", accountId: session.accountId, email: ALICE.email },
      {
        type: "mail.requested",
        to: ALICE.email,
        language: "de",
        template: "account_deleted",
        params: { at: "2026-11-20T12:20:00.000Z", grants: "ended" },
      },
    ]);
    for (const ended of [token, other, partial]) expect(await world.identity.sessionOf(ended)).toBeUndefined();
    expect(await world.identity.accountOf(session.accountId)).toBeUndefined();
    const login = { email: ALICE.email, password: ALICE.password };
    expect(await world.identity.login(login, { ip: HOME, token: undefined })).toEqual(fail("CREDENTIALS_INVALID"));
    accepted(await world.identity.register(ALICE, { ip: HOME }));
    expect((await world.userOf(ALICE.email))?.id).not.toBe(session.accountId);
  });

  test("deleteAccount() keeps the event in the audit log, but not the person", async () => {
    expect((await audited(session.accountId)).length).toBeGreaterThan(0);
    const kept = world.database.transactionOf((tables) => tables<{ accountId?: string }>("identity.audit_events"));
    const all = () => kept(async (rows) => rows.filter());
    const before = await all();
    accepted(await remove());
    expect(await audited(session.accountId)).toEqual([]);
    expect(await all()).toHaveLength(before.length + 1);
    expect(JSON.stringify(await all())).not.toContain(session.accountId);
    expect((await all()).at(-1)).toMatchObject({ event: "account_deleted", detail: {}, device: {} });
  });

  test("deleteAccount() leaves all other accounts alone", async () => {
    const bob = await world.userOf(BOB.email);
    const log = await audited(bob?.id ?? "");
    accepted(await remove());
    expect(await world.userOf(BOB.email)).toEqual(bob);
    expect(log.length).toBeGreaterThan(0);
    expect(await audited(bob?.id ?? "")).toEqual(log);
  });

  test("deleteAccount() requires the password, records wrong ones, and locks after ten attempts an hour", async () => {
    for (let i = 0; i < 10; i++) expect(await remove("Wr0ng-Password")).toEqual(WRONG);
    expect(await remove()).toEqual(fail("LOCKED", { retryAfter: 3600 }));
    const events = (await audited(session.accountId)).map(({ event }) => event);
    expect(events.filter((event) => event === "password_wrong")).toHaveLength(9);
    expect(events.filter((event) => event === "locked")).toHaveLength(1);
    expect(await world.identity.sessionOf(token)).toBeDefined();
    world.pass({ hours: 1 });
    expect(await remove()).toEqual(ok());
  });

  test("deleteAccount() evaluates ten of fifty concurrent wrong passwords", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => remove("Wr0ng-Password")));
    expect(answers.filter((answer) => !answer.ok && answer.code === "PASSWORD_WRONG")).toHaveLength(10);
    const refused = answers.filter((answer) => !answer.ok && ["BUSY", "LOCKED"].includes(answer.code));
    expect(refused).toHaveLength(40);
    expect(await remove()).toEqual(fail("LOCKED", { retryAfter: 3600 }));
  });

  test("deleteAccount() publishes the deletion once, however many calls are concurrent", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove()));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect((await world.published()).filter(({ type }) => type === "identity.deleted")).toHaveLength(1);
  });

  test("deleteAccount() deletes nothing and counts no attempt when the hasher is busy", async () => {
    const busy = fail("BUSY", { retryAfter: 2 });
    const { transaction } = world;
    const full = identityWorld({ transaction, passwords: { hash: async () => busy, verify: async () => busy } });
    for (let i = 0; i < 12; i++)
      expect(
        await full.identity.deleteAccount(
          session,
          { password: ALICE.password, keepGrants: false },
          { ip: HOME, token },
        ),
      ).toEqual(busy);
    expect(await remove()).toEqual(ok());
  });
});

test("showDeletion() lists what will be deleted", async () => {
  const belongings = {
    addresses: 2,
    alerts: 7,
    contacts: 3,
    subscription: { plan: "trial", active: true, bought: false },
    watchedBy: { items: [], total: 0 },
  };
  const { identity } = identityWorld({ belongings: { of: async () => belongings } });
  expect(await identity.showDeletion("alice")).toEqual(ok(belongings));
});

test("cleanUp() anonymises the log of an unverified account", async () => {
  const other = identityWorld();
  await other.identity.register(ALICE, { ip: HOME });
  const id = (await other.userOf(ALICE.email))?.id ?? "";
  await other.login();
  const log = () => other.transaction(({ audit }) => audit.list(id, new Date(0), 100));
  expect((await log()).length).toBeGreaterThan(0);
  other.pass({ hours: 7 * 24 + 1 });
  await other.identity.cleanUp();
  expect(await log()).toEqual([]);
});

test("cleanUp() deletes expired email change links, and events older than a year", async () => {
  const { accountId } = session;
  accepted(
    await world.identity.requestEmailChange(
      accountId,
      { email: "new@example.com", formerAddress: "ask" },
      { ip: HOME, token },
    ),
  );
  const pending = () => world.transaction(({ emailChanges }) => emailChanges.find(accountId, new Date(0)));
  world.pass({ hours: 23 });
  await world.identity.cleanUp();
  expect(await pending()).toBeDefined();
  world.pass({ hours: 1 });
  await world.identity.cleanUp();
  expect(await pending()).toBeUndefined();
  expect((await audited(accountId)).length).toBeGreaterThan(0);
  world.pass({ hours: 366 * 24 });
  await world.identity.cleanUp();
  expect(await audited(accountId)).toEqual([]);
});
