import { beforeEach, describe, expect, test } from "bun:test";
import { listsOf } from "../../src/shared/contacts.ts";
import { browserOf } from "./browser.ts";
import { ALICE, BOB, identityWorld } from "./identity_world.ts";

const NEW = { password: "Quiet-River-9-Boat", confirmPassword: "Quiet-River-9-Boat" };
const DETAILS = { firstName: "Alicia", lastName: "Keller", language: "fr" };
const NO_CONTACTS = listsOf([]);
const BODY = { ...DETAILS, defaultContacts: NO_CONTACTS };
const EXPIRED = { status: 401, body: { code: "UNAUTHENTICATED" } };
const UNCONFIRMED = { status: 403, body: { code: "REAUTHENTICATION_REQUIRED" } };

let world: ReturnType<typeof identityWorld>;
let alice: ReturnType<typeof browserOf>;
let nobody: ReturnType<typeof browserOf>;

beforeEach(async () => {
  world = identityWorld();
  for (const account of [ALICE, BOB]) await world.identity.register(account, { ip: "203.0.113.9" });
  alice = browserOf(world);
  nobody = browserOf(world);
  const { email, password } = ALICE;
  await alice.post("/api/login", { email, password });
  await alice.post("/api/verify-code", { code: await world.code() });
});

async function linkToken(): Promise<string> {
  const mail = (await world.mails()).findLast(({ template }) => template === "email_change");
  return String(JSON.parse(world.cipher.decrypt(mail?.sealed ?? "")).token);
}
const refusal = (fields: Record<string, string>) => ({ status: 422, body: { code: "INVALID_INPUT", fields } });

describe("profileRoutes()", () => {
  test("require a full session", async () => {
    const half = browserOf(world);
    await half.post("/api/login", { email: BOB.email, password: BOB.password });
    for (const visitor of [nobody, half]) {
      for (const path of ["/api/profile", "/api/profile/deletion"])
        expect(await visitor.get(path)).toMatchObject(EXPIRED);
      expect(await visitor.post("/api/profile/export")).toMatchObject(EXPIRED);
      expect(await visitor.put("/api/profile", BODY)).toMatchObject(EXPIRED);
      expect(await visitor.put("/api/profile/password", NEW)).toMatchObject(EXPIRED);
      expect(await visitor.post("/api/profile/email", { email: "new@example.com" })).toMatchObject(EXPIRED);
      expect(await visitor.delete("/api/profile/email")).toMatchObject(EXPIRED);
      expect(await visitor.post("/api/profile/delete", { password: ALICE.password })).toMatchObject(EXPIRED);
    }
  });

  test("require reauthentication after a quarter of an hour for critical changes", async () => {
    world.pass({ minutes: 15 });
    expect(await alice.put("/api/profile/password", NEW)).toMatchObject(UNCONFIRMED);
    expect(await alice.post("/api/profile/email", { email: "new@example.com" })).toMatchObject(UNCONFIRMED);
    expect(await alice.post("/api/profile/export")).toMatchObject(UNCONFIRMED);
    expect((await alice.put("/api/profile", BODY)).status).toBe(200);
    expect((await alice.get("/api/profile/deletion")).status).toBe(200);
  });

  test("GET and PUT /api/profile return and change the details", async () => {
    const before = await alice.get("/api/profile");
    expect(before).toMatchObject({ status: 200, body: { firstName: "Alice", email: ALICE.email, pendingEmail: null } });
    const contacts = { ...listsOf([]), email: ["Team@Example.com"], telegram: ["@Alicia_K"] };
    const changed = await alice.put("/api/profile", { ...BODY, companyName: " Keller AG ", defaultContacts: contacts });
    const stored = { ...listsOf([]), email: ["team@example.com"], telegram: ["alicia_k"] };
    expect(changed).toMatchObject({
      status: 200,
      body: { ...DETAILS, companyName: "Keller AG", defaultContacts: stored },
    });
    expect((await alice.get("/api/profile")).body).toEqual(changed.body);
  });

  test.each([
    [{ firstName: "" }, { firstName: "FIRST_NAME_REQUIRED" }],
    [{ lastName: "x".repeat(61) }, { lastName: "NAME_TOO_LONG" }],
    [{ firstName: "Alice\r\nBcc: a@example.com" }, { firstName: "NAME_INVALID" }],
    [{ lastName: "<b>Meyer</b>" }, { lastName: "NAME_INVALID" }],
    [{ companyName: "Mey\u202eer" }, { companyName: "NAME_INVALID" }],
    [{ companyName: "x".repeat(101) }, { companyName: "NAME_TOO_LONG" }],
    [{ language: "la" }, { language: "LANGUAGE_REQUIRED" }],
    [{ defaultContacts: { ...NO_CONTACTS, email: ["alice"] } }, { "defaultContacts.email.0": "CONTACT_INVALID" }],
    [
      { defaultContacts: { ...NO_CONTACTS, telegram: ["a\0bcde"] } },
      { "defaultContacts.telegram.0": "CONTACT_INVALID" },
    ],
    [
      { defaultContacts: { ...NO_CONTACTS, email: Array.from({ length: 11 }, (_, i) => `a${i}@example.com`) } },
      { "defaultContacts.email": "TOO_MANY_CONTACTS" },
    ],
    [{ defaultContacts: undefined }, { defaultContacts: "INVALID_INPUT" }],
  ])("PUT /api/profile rejects %p and changes nothing", async (changed, fields) => {
    const before = await world.userOf(ALICE.email);
    expect(await alice.put("/api/profile", { ...BODY, ...changed })).toMatchObject(refusal(fields));
    expect(await world.userOf(ALICE.email)).toEqual(before);
  });

  test("PUT /api/profile rejects foreign fields", async () => {
    const before = await world.userOf(ALICE.email);
    const foreign = [
      "id",
      "accountId",
      "email",
      "password",
      "passwordHash",
      "verifiedAt",
      "wrongCodes",
      "createdAt",
      "plan",
    ];
    for (const field of [...foreign, "constructor", "level"])
      expect(await alice.put("/api/profile", { ...BODY, [field]: "x" })).toMatchObject(
        refusal({ [field]: "INVALID_INPUT" }),
      );
    expect(await world.userOf(ALICE.email)).toEqual(before);
  });

  test("PUT /api/profile/password renews the cookie and voids the old one", async () => {
    const old = alice.cookieOf("__Host-session");
    const done = await alice.put("/api/profile/password", NEW);
    expect(done).toMatchObject({ status: 200, body: {} });
    expect(done.setCookie).toMatch(/^__Host-session=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect((await alice.get("/api/profile")).status).toBe(200);
    nobody.plant(`__Host-session=${old}`);
    expect(await nobody.get("/api/profile")).toMatchObject({ status: 401, body: { code: "SESSION_EXPIRED" } });
  });

  test("PUT /api/profile/password names every invalid field, and refuses the old password", async () => {
    expect(await alice.put("/api/profile/password", { password: "short", confirmPassword: "" })).toMatchObject(
      refusal({ password: "PASSWORD_TOO_SHORT", confirmPassword: "PASSWORD_CONFIRMATION_REQUIRED" }),
    );
    expect(await alice.put("/api/profile/password", { ...NEW, confirmPassword: "Quiet-River-9-Boot" })).toMatchObject(
      refusal({ confirmPassword: "PASSWORDS_DIFFER" }),
    );
    const same = { password: ALICE.password, confirmPassword: ALICE.password };
    expect(await alice.put("/api/profile/password", same)).toMatchObject({
      status: 422,
      body: { code: "PASSWORD_UNCHANGED", fields: { password: "PASSWORD_UNCHANGED" } },
    });
  });

  test("the link to the new email works once, from any browser, and opening it changes nothing", async () => {
    const email = "alice@new.example";
    const asked = await alice.post("/api/profile/email", { email: " Alice@NEW.example" });
    expect(asked).toMatchObject({ status: 200, body: { email }, setCookie: null });
    const token = await linkToken();
    expect(await nobody.post("/api/email-change/inspect", { token })).toMatchObject({ status: 200, body: { email } });
    expect((await alice.get("/api/profile")).body).toMatchObject({ email: ALICE.email, pendingEmail: { email } });
    const confirmed = await nobody.post("/api/email-change/confirm", { token });
    expect(confirmed).toMatchObject({ status: 200, body: { email }, setCookie: null });
    const invalid = { status: 410, body: { code: "EMAIL_LINK_INVALID" } };
    expect(await nobody.post("/api/email-change/confirm", { token })).toMatchObject(invalid);
    expect(await nobody.post("/api/email-change/inspect", { token })).toMatchObject(invalid);
    expect((await alice.get("/api/profile")).body).toMatchObject({ email, pendingEmail: null });
  });

  test("DELETE /api/profile/email voids the link", async () => {
    await alice.post("/api/profile/email", { email: "alice@new.example" });
    expect(await alice.delete("/api/profile/email")).toMatchObject({ status: 200, body: {} });
    expect((await nobody.post("/api/email-change/confirm", { token: await linkToken() })).status).toBe(410);
  });

  test("POST /api/email-change/confirm reports an email that is taken, and names invalid input", async () => {
    await alice.post("/api/profile/email", { email: BOB.email });
    const bob = browserOf(world);
    await bob.post("/api/login", { email: BOB.email, password: BOB.password });
    await bob.post("/api/verify-code", { code: await world.code() });
    expect(await nobody.post("/api/email-change/confirm", { token: await linkToken() })).toMatchObject({
      status: 409,
      body: { code: "EMAIL_TAKEN" },
    });
    expect(await nobody.post("/api/email-change/confirm", {})).toMatchObject(refusal({ token: "EMAIL_LINK_INVALID" }));
    expect(await nobody.post("/api/email-change/confirm", { token: "x", email: "a@example.com" })).toMatchObject(
      refusal({ email: "INVALID_INPUT" }),
    );
    expect(await alice.post("/api/profile/email", { email: "alice" })).toMatchObject(
      refusal({ email: "EMAIL_INVALID" }),
    );
    expect(await alice.post("/api/profile/email", { email: ALICE.email })).toMatchObject({
      status: 422,
      body: { code: "EMAIL_UNCHANGED", fields: { email: "EMAIL_UNCHANGED" } },
    });
  });

  test("POST /api/profile/email names the field of an address outside the allowed domains", async () => {
    const bound = identityWorld({ registration: { mode: "open", domains: ["example.com"] } });
    await bound.identity.register(ALICE, { ip: "203.0.113.9" });
    const browser = browserOf(bound);
    await browser.post("/api/login", { email: ALICE.email, password: ALICE.password });
    await browser.post("/api/verify-code", { code: await bound.code() });
    expect(await browser.post("/api/profile/email", { email: "alice@new.example" })).toMatchObject(
      refusal({ email: "REGISTRATION_DOMAIN" }),
    );
    expect(await browser.post("/api/profile/email", { email: "ada@example.com" })).toMatchObject({ status: 200 });
  });

  test("POST /api/profile/delete requires the correct password, and clears both cookies", async () => {
    const wrong = await alice.post("/api/profile/delete", { password: "Wr0ng-Password" });
    expect(wrong).toMatchObject({
      status: 403,
      body: { code: "PASSWORD_WRONG", fields: { password: "PASSWORD_WRONG" } },
      setCookie: null,
    });
    expect(await alice.post("/api/profile/delete", {})).toMatchObject(refusal({ password: "PASSWORD_REQUIRED" }));
    expect(await alice.post("/api/profile/delete", { password: "x".repeat(129) })).toMatchObject(
      refusal({ password: "PASSWORD_TOO_LONG" }),
    );
    const token = alice.cookieOf("__Host-session");
    const done = await alice.post("/api/profile/delete", { password: ALICE.password });
    expect(done).toMatchObject({ status: 200, body: {} });
    expect(done.setCookies.map((cookie) => cookie.split(";").slice(0, 2).join(";"))).toEqual([
      "__Host-session=; Max-Age=0",
      "__Host-device=; Max-Age=0",
    ]);
    expect(done.headers.get("Clear-Site-Data")).toBe('"cache"');
    nobody.plant(`__Host-session=${token}`);
    expect(await nobody.get("/api/profile")).toMatchObject({ status: 401, body: { code: "SESSION_EXPIRED" } });
  });

  test("POST /api/profile/delete shares its limit with confirm-password: ten wrong ones an hour in total", async () => {
    const wrong = { password: "Wr0ng-Password" };
    for (let i = 0; i < 5; i++) {
      expect((await alice.post("/api/profile/delete", wrong)).status).toBe(403);
      expect((await alice.post("/api/confirm-password", wrong)).status).toBe(403);
    }
    const locked = await alice.post("/api/profile/delete", { password: ALICE.password });
    expect(locked).toMatchObject({ status: 429, body: { code: "LOCKED", retryAfter: 3600 } });
    expect(locked.headers.get("Retry-After")).toBe("3600");
  });
});
