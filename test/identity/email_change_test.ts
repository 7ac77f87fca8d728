import { beforeEach, describe, expect, test } from "bun:test";
import { maskedEmail } from "../../src/shared/masked_email.ts";
import { fail, ok } from "../../src/shared/result.ts";
import { accepted } from "../support/builders.ts";
import { ALICE, BOB, HOME, identityWorld } from "./identity_world.ts";

const NEW = "alice@new.example";
const INVALID = fail("EMAIL_LINK_INVALID");
const NEWCOMER = { ...BOB, email: NEW };

let world: ReturnType<typeof identityWorld>;
let accountId: string;
let session: string;

beforeEach(async () => {
  world = identityWorld();
  for (const account of [ALICE, BOB]) await world.identity.register(account, { ip: "203.0.113.9" });
  await world.signIn(BOB, "203.0.113.8");
  session = await world.signIn();
  accountId = (await world.userOf(ALICE.email))?.id ?? "";
});

const client = { ip: HOME, token: undefined };
const request = (email = NEW, of = accountId) =>
  world.identity.requestEmailChange(of, { email, formerAddress: "ask" }, client);
const confirm = (token: string) => world.identity.confirmEmailChange(token, client);
const mailsOf = async (template: string) => (await world.mails()).filter((mail) => mail.template === template);
async function mailedToken(): Promise<string> {
  const mail = (await mailsOf("email_change")).at(-1);
  return String(JSON.parse(world.cipher.decrypt(mail?.sealed ?? "")).token);
}
async function requested(email = NEW): Promise<string> {
  accepted(await request(email));
  return mailedToken();
}

describe("requestEmailChange()", () => {
  test("requestEmailChange() mails a sealed link to the new address, valid for a day, and changes nothing yet", async () => {
    expect(await request()).toEqual(ok({ email: NEW }));
    const [mail, ...more] = await mailsOf("email_change");
    expect(more).toEqual([]);
    expect(mail).toEqual({
      type: "mail.requested",
      to: NEW,
      language: "de",
      template: "email_change",
      params: { hours: "24", firstName: "Alice", account: "a…@example.com" },
      sealed: mail?.sealed ?? "",
      accountId,
      notAfter: "2026-11-21T12:00:00.000Z",
    });
    expect(JSON.stringify(await world.published())).not.toContain(await mailedToken());
    const profile = accepted(await world.identity.showProfile(accountId));
    expect(profile).toMatchObject({
      email: ALICE.email,
      pendingEmail: { email: NEW, expiresAt: "2026-11-21T12:00:00.000Z" },
    });
  });

  test("requestEmailChange() does and returns the same for an address of another account", async () => {
    const kinds = async () => (await world.published()).map(({ type }) => type);
    const before = (await kinds()).length;
    expect(await request("free@example.com")).toEqual(ok({ email: "free@example.com" }));
    const free = (await kinds()).slice(before);
    expect(await request(BOB.email)).toEqual(ok({ email: BOB.email }));
    expect((await kinds()).slice(before + free.length)).toEqual(free);
  });

  test("requestEmailChange() refuses the account's current email", async () => {
    expect(await request(ALICE.email)).toEqual(fail("EMAIL_UNCHANGED", { fields: { email: "EMAIL_UNCHANGED" } }));
    expect(await request(NEW, crypto.randomUUID())).toEqual(fail("SESSION_EXPIRED"));
    expect(await mailsOf("email_change")).toEqual([]);
  });

  test("requestEmailChange() mails five links an hour per account", async () => {
    for (let i = 0; i < 5; i++) accepted(await request(`new${i}@example.com`));
    expect(await request("new5@example.com")).toEqual(fail("RATE_LIMITED", { retryAfter: 3600 }));
    world.pass({ hours: 1 });
    accepted(await request("new5@example.com"));
    expect(await mailsOf("email_change")).toHaveLength(6);
  });

  test("requestEmailChange() mails three links in seven days to one mailbox, from any account and in any spelling", async () => {
    const bob = (await world.userOf(BOB.email))?.id ?? "";
    for (let i = 0; i < 2; i++) accepted(await request());
    accepted(await request(NEW, bob));
    const limited = fail("MAILBOX_LIMITED", { retryAfter: 7 * 24 * 3600 });
    expect(await request(NEW.replace("@", "+tag@"), bob)).toEqual(limited);
    accepted(await request("other@new.example"));
    expect(await mailsOf("email_change")).toHaveLength(4);
    world.pass({ hours: 7 * 24 });
    accepted(await request(NEW, bob));
  });
});

describe("confirmEmailChange()", () => {
  test("confirmEmailChange() changes the email, notifies the former mailbox, and publishes the change", async () => {
    const token = await requested();
    world.pass({ hours: 1 });
    expect(await world.identity.inspectEmailChange(token)).toEqual(
      ok({ email: NEW, account: { name: `${ALICE.firstName} ${ALICE.lastName}`, email: "a…@example.com" } }),
    );
    expect((await world.userOf(ALICE.email))?.id).toBe(accountId);
    expect(await confirm(token)).toEqual(ok({ email: NEW }));
    expect((await world.userOf(NEW))?.id).toBe(accountId);
    expect(await world.userOf(ALICE.email)).toBeUndefined();
    expect((await mailsOf("email_changed")).at(-1)).toEqual({
      type: "mail.requested",
      to: ALICE.email,
      language: "de",
      template: "email_changed",
      params: { at: "2026-11-20T13:00:00.000Z", to: "a…@new.example", formerAddress: "ask" },
    });
    const event = (await world.published()).find(({ type }) => type === "identity.emailChanged");
    expect(event).toEqual({
      type: "identity.emailChanged",
      accountId,
      from: ALICE.email,
      to: NEW,
      formerAddress: "ask",
    });
    const [row] = await world.transaction(({ audit }) => audit.list(accountId, new Date(0), 1));
    expect(row).toMatchObject({ event: "email_changed", detail: { from: "a…@example.com", to: "a…@new.example" } });
    expect(await world.login({ ...ALICE, email: NEW })).toBeString();
  });

  test("confirmEmailChange() voids what was mailed to the former mailbox, and keeps full sessions", async () => {
    const token = await requested();
    const partial = await world.login();
    const code = await world.code();
    await world.forgot();
    const link = await world.resetToken();
    accepted(await confirm(token));
    expect(await world.identity.sessionOf(partial)).toBeUndefined();
    expect((await world.identity.verifyCode({ code }, { ip: HOME, token: partial })).ok).toBe(false);
    expect(await world.identity.checkResetLink(link)).toEqual(fail("RESET_LINK_INVALID"));
    expect(await world.identity.sessionOf(session)).toMatchObject({ accountId, level: "authenticated" });
  });

  test("confirmEmailChange() succeeds once of 50 concurrent uses, and never again", async () => {
    const token = await requested();
    const answers = await Promise.all(Array.from({ length: 50 }, () => confirm(token)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.filter((answer) => !answer.ok && answer.code === "EMAIL_LINK_INVALID")).toHaveLength(49);
    expect(await mailsOf("email_changed")).toHaveLength(1);
    expect(await world.identity.inspectEmailChange(token)).toEqual(INVALID);
  });

  test.each([
    [{ hours: 23, minutes: 59, seconds: 59 }, true],
    [{ hours: 24 }, false],
  ])("confirmEmailChange() and inspectEmailChange() after %p", async (passed, works) => {
    const token = await requested();
    world.pass(passed);
    expect((await world.identity.inspectEmailChange(token)).ok).toBe(works);
    expect((await confirm(token)).ok).toBe(works);
  });

  test("confirmEmailChange() accepts the newest link only, and no cancelled one", async () => {
    const first = await requested();
    const second = await requested("second@new.example");
    expect(await confirm(first)).toEqual(INVALID);
    expect(await world.identity.cancelEmailChange(accountId)).toEqual(ok());
    expect(await confirm(second)).toEqual(INVALID);
    expect((await world.userOf(ALICE.email))?.id).toBe(accountId);
  });

  test("confirmEmailChange() rejects tokens of another purpose", async () => {
    await requested();
    await world.forgot();
    for (const token of ["", "unknown", session, await world.resetToken(), "x".repeat(10_000)]) {
      expect(await confirm(token)).toEqual(INVALID);
      expect(await world.identity.inspectEmailChange(token)).toEqual(INVALID);
    }
    const token = await mailedToken();
    expect(await world.identity.checkResetLink(token)).toEqual(fail("RESET_LINK_INVALID"));
    expect(await world.identity.sessionOf(token)).toBeUndefined();
  });

  test("confirmEmailChange() refuses an email that another account has verified", async () => {
    expect(await confirm(await requested(BOB.email))).toEqual(fail("EMAIL_TAKEN"));
    expect((await world.userOf(ALICE.email))?.id).toBe(accountId);
    expect((await world.userOf(BOB.email))?.firstName).toBe("Bob");
    expect((await world.published()).filter(({ type }) => type === "identity.emailChanged")).toEqual([]);
  });

  test("confirmEmailChange() takes over an email from an unverified account", async () => {
    const token = await requested();
    accepted(await world.identity.register(NEWCOMER, { ip: HOME }));
    const squatter = (await world.userOf(NEW))?.id ?? "";
    accepted(await confirm(token));
    expect((await world.userOf(NEW))?.id).toBe(accountId);
    expect(await world.published()).toContainEqual({ type: "identity.deleted", accountId: squatter });
  });
});

test("maskedEmail() shows enough to recognise one's own address", () => {
  expect(maskedEmail("alice@example.org")).toBe("a…@example.org");
});
