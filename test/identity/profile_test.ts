import { beforeEach, describe, expect, test } from "bun:test";
import { listsOf, MAX_CONTACTS } from "../../src/shared/contacts.ts";
import { fail } from "../../src/shared/result.ts";
import { accepted } from "../support/builders.ts";
import { ALICE, BOB, HOME, identityWorld } from "./identity_world.ts";

const NEW = "Quiet-River-9-Boat";
const NO_CONTACTS = listsOf([]);
const DETAILS = {
  firstName: "Alicia",
  lastName: "Keller",
  language: "fr" as const,
  companyName: "Keller AG",
  defaultContacts: { ...listsOf([]), email: ["team@example.com"], telegram: ["alicia_k"], pushover: ["u".repeat(30)] },
};

let world: ReturnType<typeof identityWorld>;
let accountId: string;
let token: string;

beforeEach(async () => {
  world = identityWorld();
  for (const account of [ALICE, BOB]) await world.identity.register(account, { ip: "203.0.113.9" });
  token = await world.signIn();
  accountId = (await world.userOf(ALICE.email))?.id ?? "";
});

const client = () => ({ ip: HOME, token, device: { browser: "Firefox", system: "Linux" } });
const audited = async (event: string) =>
  (await world.transaction(({ audit }) => audit.list(accountId, new Date(0), 100))).filter(
    (row) => row.event === event,
  );
const change = (password = NEW, by = client()) => world.identity.changePassword({ accountId }, { password }, by);

describe("the profile", () => {
  test("showProfile() returns the account's details, and none of its secrets", async () => {
    expect(accepted(await world.identity.showProfile(accountId))).toEqual({
      firstName: "Alice",
      lastName: "Meyer",
      email: ALICE.email,
      language: "de",
      companyName: null,
      defaultContacts: NO_CONTACTS,
      createdAt: "2026-11-20T12:00:00.000Z",
      pendingEmail: null,
    });
    expect(await world.identity.showProfile(crypto.randomUUID())).toEqual(fail("NOT_FOUND"));
  });

  test("changeProfile() replaces all details, and leaves email, password and other accounts alone", async () => {
    const before = await world.userOf(ALICE.email);
    const bob = await world.userOf(BOB.email);
    const changed = accepted(await world.identity.changeProfile(accountId, DETAILS, client()));
    expect(changed).toMatchObject({ ...DETAILS, email: ALICE.email });
    expect(changed).toEqual(accepted(await world.identity.showProfile(accountId)));
    const { companyName: _, ...bare } = { ...DETAILS, defaultContacts: NO_CONTACTS };
    expect(accepted(await world.identity.changeProfile(accountId, { ...bare }, client())).companyName).toBeNull();
    const after = await world.userOf(ALICE.email);
    expect(after?.passwordHash).toBe(before?.passwordHash ?? "");
    expect(after?.verifiedAt).toEqual(before?.verifiedAt);
    expect(await world.userOf(BOB.email)).toEqual(bob);
  });

  test("addDefaultContact() adds a default contact, next to the account's own mailbox if none was chosen", async () => {
    const chat = { channel: "telegram" as const, value: "alicia_k" };
    await world.identity.addDefaultContact(accountId, chat);
    await world.identity.addDefaultContact(accountId, chat);
    const proposed = async () => accepted(await world.identity.showProfile(accountId)).defaultContacts;
    expect(await proposed()).toEqual({ ...NO_CONTACTS, email: [ALICE.email], telegram: ["alicia_k"] });
    const many = Array.from({ length: MAX_CONTACTS + 1 }, (_, index) => `somebody_${index}`);
    for (const value of many) await world.identity.addDefaultContact(accountId, { channel: "telegram", value });
    expect((await proposed()).telegram).toEqual(["alicia_k", ...many.slice(0, MAX_CONTACTS - 1)]);
  });

  test("changeProfile() logs the names of the changed fields, and nothing if there are none", async () => {
    await world.identity.changeProfile(accountId, DETAILS, client());
    await world.identity.changeProfile(accountId, DETAILS, client());
    const [row, ...more] = await audited("details_changed");
    expect(more).toEqual([]);
    expect(row).toMatchObject({ ipPrefix: "192.0.2.0/24", device: { browser: "Firefox", system: "Linux" } });
    expect(row?.detail).toEqual({ fields: "firstName lastName companyName language defaultContacts" });
  });

  test("changeProfile() sets the language of later mails", async () => {
    await world.identity.changeProfile(accountId, DETAILS, client());
    world.pass({ hours: 1 });
    await world.login();
    expect((await world.mails()).at(-1)).toMatchObject({ template: "login_code", language: "fr" });
  });

  test("changeProfile() does not recreate a deleted account", async () => {
    expect(await world.identity.changeProfile(crypto.randomUUID(), DETAILS, client())).toEqual(fail("NOT_FOUND"));
  });
});

describe("changePassword()", () => {
  test("changePassword() changes the password and renews this session, whose old token is void", async () => {
    world.pass({ minutes: 5 });
    const renewed = accepted(await change());
    expect(renewed.token).not.toBe(token);
    expect(await world.identity.sessionOf(token)).toBeUndefined();
    expect(await world.identity.sessionOf(renewed.token)).toMatchObject({ accountId, level: "authenticated" });
    expect((await world.mails()).at(-1)).toEqual({
      type: "mail.requested",
      to: ALICE.email,
      language: "de",
      template: "password_changed",
      params: { changedAt: "2026-11-20T12:05:00.000Z", loggedOut: "others" },
      accountId,
    });
    expect(await audited("password_changed")).toHaveLength(1);
    const before = { email: ALICE.email, password: ALICE.password };
    expect(await world.identity.login(before, { ip: HOME, token: undefined })).toEqual(fail("CREDENTIALS_INVALID"));
    expect(await world.login({ ...ALICE, password: NEW })).toBeString();
  });

  test("changePassword() ends every other session and voids codes, reset links and email change links, of this account only", async () => {
    const other = await world.signIn();
    const partial = await world.login();
    const bobs = await world.signIn(BOB);
    await world.forgot();
    const link = await world.resetToken();
    await world.identity.requestEmailChange(accountId, { email: "new@example.com", formerAddress: "ask" }, client());
    accepted(await change());
    for (const ended of [other, partial]) expect(await world.identity.sessionOf(ended)).toBeUndefined();
    expect(await world.identity.checkResetLink(link)).toEqual(fail("RESET_LINK_INVALID"));
    expect(accepted(await world.identity.showProfile(accountId)).pendingEmail).toBeNull();
    expect(await world.identity.sessionOf(bobs)).toBeDefined();
  });

  test.each([
    ["Sunshine1", "INVALID_INPUT", "PASSWORD_TOO_COMMON"],
    ["Alice@Example.com1", "INVALID_INPUT", "PASSWORD_SIMILAR_EMAIL"],
    ["Meyer-River-9", "INVALID_INPUT", "PASSWORD_SIMILAR_LAST_NAME"],
    [ALICE.password, "PASSWORD_UNCHANGED", "PASSWORD_UNCHANGED"],
  ] as const)("changePassword() refuses %p and leaves the session as it is", async (password, code, field) => {
    expect(await change(password)).toEqual(fail(code, { fields: { password: field } }));
    expect(await world.identity.sessionOf(token)).toBeDefined();
    expect(await audited("password_changed")).toEqual([]);
  });

  test("changePassword() succeeds once of ten concurrent calls of one session", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => change(`${NEW}-${i}`)));
    const won = answers.flatMap((answer) => (answer.ok ? [answer.value.token] : []));
    expect(won).toHaveLength(1);
    expect(answers.filter((answer) => !answer.ok && answer.code === "SESSION_EXPIRED")).toHaveLength(9);
    expect(await world.identity.sessionOf(won[0] ?? "")).toBeDefined();
  });

  test("changePassword() refuses another account's session, and compares a hundred passwords an hour", async () => {
    const bobs = await world.signIn(BOB);
    expect(await change(NEW, { ...client(), token: bobs })).toEqual(fail("SESSION_EXPIRED"));
    for (let i = 0; i < 99; i++) await change("Sunshine1");
    expect(await change()).toEqual(fail("RATE_LIMITED", { retryAfter: 3600 }));
  });

  test("resetPassword() voids an email change link too", async () => {
    await world.identity.requestEmailChange(accountId, { email: "new@example.com", formerAddress: "ask" }, client());
    await world.forgot();
    accepted(await world.identity.resetPassword({ token: await world.resetToken(), password: NEW }, client()));
    expect(accepted(await world.identity.showProfile(accountId)).pendingEmail).toBeNull();
  });
});
