import { beforeEach, describe, expect, test } from "bun:test";
import { NO_PASSWORD } from "../../src/identity/ports.ts";
import type { ProviderProfile } from "../../src/identity/sign_in/provider_ports.ts";
import { accepted } from "../support/builders.ts";
import { ALICE, HOME } from "./identity_world.ts";
import { AT_HOME, HOME_ISSUER, providerWorld } from "./provider_world.ts";

type World = ReturnType<typeof providerWorld>;
let world: World;
const only = (changed: Parameters<typeof providerWorld>[0] = {}) =>
  providerWorld({ hasHome: true, providersOnly: true, ...changed });
beforeEach(() => {
  world = only();
});

const secondStep = { ok: true, value: { outcome: "second_step", email: ALICE.email, methods: ["email"] } } as const;

async function signIn(profile: ProviderProfile = AT_HOME, invitation?: string) {
  world.pass({ minutes: 2 });
  const visited = await world.visit(profile, { ...(invitation !== undefined && { invitation }) });
  if (!visited.ok || visited.value.outcome !== "second_step") throw new Error(JSON.stringify(visited));
  const { token } = visited.value;
  return accepted(await world.identity.verifyCode({ code: await world.code() }, { ip: HOME, token }));
}

describe("finishProvider() where providers are the only way to log in", () => {
  test("creates an account at the first login, which the mailed code proves", async () => {
    expect(await world.visit(AT_HOME)).toMatchObject(secondStep);
    const created = await world.userOf(ALICE.email);
    expect(created).toMatchObject({
      firstName: "Alice",
      lastName: "Meyer",
      language: "de",
      passwordHash: NO_PASSWORD,
      verifiedAt: undefined,
      staff: false,
    });
    expect(await world.links()).toEqual([]);
    await signIn();
    expect((await world.userOf(ALICE.email))?.verifiedAt).toBeDefined();
    expect(await world.links()).toMatchObject([{ provider: HOME_ISSUER, subject: AT_HOME.subject }]);
    const registered = (await world.published()).filter(({ type }) => type === "identity.registered");
    // The account that nobody had proven was replaced.
    expect(registered).toHaveLength(2);
    // The terms are asked for after the login.
    expect(await world.transaction(({ acceptances }) => acceptances.list(created?.id ?? ""))).toEqual([]);
  });

  test("asks for the code even if the provider made a second step: only then is the mailbox proven", async () => {
    expect(await world.visit({ ...AT_HOME, hasSecondStep: true })).toMatchObject(secondStep);
    await signIn({ ...AT_HOME, hasSecondStep: true });
    expect(await world.visit({ ...AT_HOME, hasSecondStep: true })).toMatchObject({ value: { outcome: "signed_in" } });
  });

  test("creates nothing for an email that the provider does not vouch for", async () => {
    const unverified = { ...AT_HOME, emailVerified: false };
    expect(await world.visit(unverified)).toEqual({ ok: false, code: "PROVIDER_EMAIL_UNVERIFIED" });
    expect(await world.userOf(ALICE.email)).toBeUndefined();
  });

  test("names a person without a name after the mailbox", async () => {
    const { firstName: _, lastName: __, ...nameless } = AT_HOME;
    await world.visit(nameless);
    expect(await world.userOf(ALICE.email)).toMatchObject({ firstName: "alice", lastName: "" });
  });

  test("opens an account that existed before, after its own second step", async () => {
    world = providerWorld({ hasHome: true });
    await world.identity.register(ALICE, { ip: HOME });
    await world.signIn();
    const before = await world.userOf(ALICE.email);
    const { transaction, cipher, mac } = world;
    world = only({ transaction, cipher, mac });
    world.pass({ minutes: 4 });
    expect(await world.visit(AT_HOME)).toMatchObject(secondStep);
    const found = await world.transaction(({ users }) => users.findByEmail(ALICE.email));
    expect(found?.id).toBe(before?.id ?? "");
  });

  test.each([
    [{ mode: "closed", domains: [] }, "REGISTRATION_CLOSED"],
    [{ mode: "invite", domains: [] }, "REGISTRATION_INVITE_ONLY"],
    [{ mode: "open", domains: ["example.org"] }, "REGISTRATION_DOMAIN"],
  ] as const)("obeys REGISTRATION: %j", async (registration, code) => {
    world = only({ registration: { ...registration, domains: [...registration.domains] } });
    expect(await world.visit(AT_HOME)).toEqual({ ok: false, code });
    expect(await world.userOf(ALICE.email)).toBeUndefined();
  });

  test("lets a link of the operator in, for its address only", async () => {
    world = only({ registration: { mode: "closed", domains: [] } });
    const { token: invitation } = accepted(await world.identity.inviteToRegister(ALICE.email));
    const other = { ...AT_HOME, subject: "bob", email: "bob@example.com" };
    expect(await world.visit(other, { invitation })).toEqual({ ok: false, code: "REGISTRATION_OTHER_EMAIL" });
    expect(await world.visit(AT_HOME, { invitation: "made.up.link" })).toEqual({
      ok: false,
      code: "REGISTRATION_LINK_INVALID",
    });
    await signIn(AT_HOME, invitation);
    expect(await world.links()).toHaveLength(1);
  });

  test("makes the first account by the link of the start staff, by hand and not by a group", async () => {
    const invitation = (await world.identity.inviteFirst()) ?? "";
    await signIn({ ...AT_HOME, isStaff: false }, invitation);
    const first = await world.userOf(ALICE.email);
    expect([first?.staff, first?.staffBy]).toEqual([true, undefined]);
    expect(await world.identity.inviteFirst()).toBeUndefined();
  });

  test("a changed subject with the same email opens nothing until the old link is removed", async () => {
    await signIn();
    const changed = { ...AT_HOME, subject: "alice-renewed" };
    expect(await world.visit(changed)).toEqual({ ok: false, code: "PROVIDER_ALREADY_LINKED" });
    const accountId = (await world.userOf(ALICE.email))?.id ?? "";
    expect(await world.identity.unlinkAll(accountId, { reason: "A new login" })).toEqual({ ok: true, value: 1 });
    await signIn(changed);
    expect(await world.links()).toMatchObject([{ subject: "alice-renewed" }]);
  });
});

describe("Reauthentication by a provider", () => {
  let token: string;
  beforeEach(async () => {
    token = (await signIn()).token;
  });
  const session = () => world.identity.sessionOf(token);
  const confirm = (profile: ProviderProfile) => world.visit(profile, { purpose: "confirm", token });
  const refused = { ok: false, code: "PROVIDER_REFUSED" } as const;

  test("asks the provider to ask again, and renews the session's token", async () => {
    expect(await session()).toMatchObject({ confirmed: false });
    const { url } = await world.start("oidc", "confirm", token);
    expect(new URL(url).searchParams.get("prompt")).toBe("login");
    const confirmed = await confirm({ ...AT_HOME, authenticatedAt: world.now() });
    if (!confirmed.ok || confirmed.value.outcome !== "confirmed") throw new Error(JSON.stringify(confirmed));
    expect(await session()).toBeUndefined();
    expect(await world.identity.sessionOf(confirmed.value.token)).toMatchObject({ confirmed: true });
  });

  test.each([
    ["says nothing about when", {}],
    ["says that it was earlier", { authenticatedAt: new Date("2026-11-20T11:00:00Z") }],
  ])("does not count when the provider %s", async (_, said) => {
    expect(await confirm({ ...AT_HOME, ...said })).toEqual(refused);
    expect(await session()).toMatchObject({ confirmed: false });
  });

  test("does not count for somebody else", async () => {
    expect(await confirm({ ...AT_HOME, subject: "bob", authenticatedAt: world.now() })).toEqual(refused);
  });

  test("counts at a login by a linked identity that the provider has just asked for", async () => {
    world.pass({ minutes: 2 });
    const fresh = { ...AT_HOME, hasSecondStep: true, authenticatedAt: world.now() };
    const visited = await world.visit(fresh);
    if (!visited.ok || visited.value.outcome !== "signed_in") throw new Error(JSON.stringify(visited));
    expect(await world.identity.sessionOf(visited.value.token)).toMatchObject({ confirmed: true });
    world.pass({ minutes: 15 });
    expect(await world.identity.sessionOf(visited.value.token)).toMatchObject({ confirmed: false });
  });

  test("is not offered where there are passwords, nor by a provider that cannot", async () => {
    const start = (provider: string) => world.identity.startProvider({ provider, purpose: "confirm" }, undefined);
    expect(await start("google")).toEqual({ ok: false, code: "NOT_FOUND" });
    expect(await start("oidc")).toEqual({ ok: false, code: "UNAUTHENTICATED" });
    world = providerWorld({ hasHome: true });
    expect(await start("oidc")).toEqual({ ok: false, code: "NOT_FOUND" });
  });

  test("stands for the password when the account is deleted", async () => {
    const { accountId = "", sessionId = "" } = (await session()) ?? {};
    const leave = (confirmed: boolean) =>
      world.identity.deleteAccount({ accountId, sessionId, confirmed }, { keepGrants: false }, { ip: HOME, token });
    expect(await leave(false)).toEqual({ ok: false, code: "REAUTHENTICATION_REQUIRED" });
    expect(await leave(true)).toEqual({ ok: true, value: undefined });
    expect(await world.userOf(ALICE.email)).toBeUndefined();
  });
});

test("deleteAccount() asks for the password where there are passwords", async () => {
  world = providerWorld();
  await world.identity.register(ALICE, { ip: HOME });
  const token = await world.signIn();
  const { accountId = "", sessionId = "" } = (await world.identity.sessionOf(token)) ?? {};
  const holder = { accountId, sessionId, confirmed: true };
  expect(await world.identity.deleteAccount(holder, { keepGrants: false }, { ip: HOME, token })).toMatchObject({
    ok: false,
    code: "INVALID_INPUT",
    fields: { password: "PASSWORD_REQUIRED" },
  });
});
