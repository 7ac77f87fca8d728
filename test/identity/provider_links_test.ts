import { beforeEach, describe, expect, test } from "bun:test";
import { ALICE, BOB, HOME } from "./identity_world.ts";
import { AT_GOOGLE, AT_MICROSOFT, providerWorld } from "./provider_world.ts";

let world: ReturnType<typeof providerWorld>;
let alice: string;

beforeEach(async () => {
  world = providerWorld();
  await world.identity.register(ALICE, { ip: HOME });
  alice = await world.signIn();
});

const idOf = async (token: string) => (await world.identity.sessionOf(token))?.accountId ?? "";
const link = (token: string, profile = AT_GOOGLE) => world.visit(profile, { purpose: "link", token });
const events = async (token: string) => {
  const accountId = await idOf(token);
  const all = await world.transaction(({ audit }) => audit.list(accountId, new Date(0), 100));
  return all
    .filter(({ event }) => event.startsWith("provider_"))
    .map(({ event, detail }) => `${event} ${detail.provider}`);
};
async function bobIsThere(): Promise<string> {
  await world.identity.register(BOB, { ip: HOME });
  return world.signIn(BOB);
}

describe("startProvider() for a link", () => {
  const begin = async (token: string | undefined) =>
    world.identity.startProvider(
      { provider: "google", purpose: "link" },
      token === undefined ? undefined : await world.identity.sessionOf(token),
    );

  test("requires a full session whose password was typed recently", async () => {
    expect(await begin(alice)).toMatchObject({ ok: true });
    expect(await begin(undefined)).toEqual({ ok: false, code: "UNAUTHENTICATED" });
    world.pass({ minutes: 15 });
    expect(await begin(alice)).toEqual({ ok: false, code: "REAUTHENTICATION_REQUIRED" });
    expect(await begin(await world.login())).toEqual({ ok: false, code: "UNAUTHENTICATED" });
  });
});

describe("finishProvider() for a link", () => {
  test("links regardless of the email, notifies the owner, and keeps the session", async () => {
    const stranger = { ...AT_MICROSOFT, email: "somebody@example.net" };
    const linked = await world.visit(stranger, { provider: "microsoft", purpose: "link", token: alice });
    expect(linked).toEqual({ ok: true, value: { outcome: "linked", provider: "microsoft" } });
    expect(await world.identity.sessionOf(alice)).toMatchObject({ level: "authenticated" });
    expect(await world.identity.providersOf(await idOf(alice))).toEqual({
      ok: true,
      value: {
        links: [
          {
            provider: "microsoft",
            label: "Microsoft",
            email: "somebody@example.net",
            linkedAt: world.now(),
            canConfirm: false,
          },
        ],
        available: ["google", "microsoft"],
      },
    });
    expect(await world.trail()).toEqual(["alice@example.com provider_linked microsoft"]);
    expect(await events(alice)).toEqual(["provider_linked microsoft"]);
  });

  test("does nothing the second time", async () => {
    await link(alice);
    expect(await link(alice)).toEqual({ ok: true, value: { outcome: "linked", provider: "google" } });
    expect(await world.links()).toHaveLength(1);
    expect(await world.trail()).toHaveLength(1);
  });

  test("refuses another account's identity, and a second one of the same provider", async () => {
    const bob = await bobIsThere();
    await link(alice);
    const taken = { ok: false, code: "PROVIDER_ALREADY_LINKED" } as const;
    expect(await link(bob)).toEqual(taken);
    expect(await link(alice, { ...AT_GOOGLE, subject: "another" })).toEqual(taken);
    expect(await world.links()).toMatchObject([{ subject: AT_GOOGLE.subject }]);
    expect(await world.links(BOB.email)).toEqual([]);
  });

  test("gives an identity to one of two accounts that link it concurrently", async () => {
    const bob = await bobIsThere();
    const answers = await Promise.all([link(alice), link(bob)]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect([...(await world.links()), ...(await world.links(BOB.email))]).toHaveLength(1);
  });

  test("links nothing to another account logged in meanwhile in another tab, or without a session", async () => {
    const bob = await bobIsThere();
    const { url, cookie } = await world.start("google", "link", alice);
    const answer = { provider: "google", ...world.peers.google.consent(url, AT_GOOGLE) } as const;
    const gone = { ok: false, code: "UNAUTHENTICATED" } as const;
    expect(await world.finish(answer, { visit: cookie, token: bob })).toEqual(gone);
    expect(await world.finish(answer, { visit: cookie })).toEqual(gone);
    expect(await world.finish(answer, { visit: cookie, token: await world.login() })).toEqual(gone);
    expect(world.peers.google.asked()).toBe(0);
    expect(await world.finish(answer, { visit: cookie, token: alice })).toMatchObject({ ok: true });
  });

  test("links nothing if the session ends during the provider's response", async () => {
    const { url, cookie } = await world.start("google", "link", alice);
    const answer = { provider: "google", ...world.peers.google.consent(url, AT_GOOGLE) } as const;
    const session = await world.identity.sessionOf(alice);
    await world.transaction(({ sessions }) => sessions.remove(world.hashToken(alice)));
    const late = await world.identity.finishProvider(answer, { ip: HOME, token: alice, visit: cookie, session });
    expect(late).toEqual({ ok: false, code: "UNAUTHENTICATED" });
    expect(world.peers.google.asked()).toBe(1);
    expect(await world.links()).toEqual([]);
  });

  test("a link during log-in is created for its own account only", async () => {
    // Another account links the identity between the first step and the second.
    world.pass({ minutes: 2 });
    const started = await world.visit(AT_GOOGLE);
    if (!started.ok || started.value.outcome !== "second_step") throw new Error("Cannot start");
    const code = await world.code();
    const bob = await bobIsThere();
    expect(await link(bob)).toMatchObject({ ok: true });
    expect(await world.identity.verifyCode({ code }, { ip: HOME, token: started.value.token })).toMatchObject({
      ok: true,
    });
    expect(await world.links()).toEqual([]);
    expect(await world.links(BOB.email)).toHaveLength(1);
  });
});

describe("unlinkProvider()", () => {
  test("removes the link and notifies the owner; the identity is then matched by email again", async () => {
    await link(alice);
    const accountId = await idOf(alice);
    const client = { ip: HOME, token: alice };
    expect(await world.identity.unlinkProvider({ accountId, provider: "google" }, client)).toEqual({
      ok: true,
      value: undefined,
    });
    expect(await world.links()).toEqual([]);
    expect((await world.trail()).at(-1)).toBe("alice@example.com provider_unlinked google");
    expect((await events(alice)).toSorted()).toEqual(["provider_linked google", "provider_unlinked google"]);
    expect(await world.identity.unlinkProvider({ accountId, provider: "google" }, client)).toEqual({
      ok: false,
      code: "NOT_FOUND",
    });
    expect(await world.trail()).toHaveLength(2);
    world.pass({ minutes: 2 });
    expect(await world.visit(AT_GOOGLE)).toMatchObject({ value: { outcome: "second_step" } });
  });

  test("leaves other accounts and other providers alone", async () => {
    const bob = await bobIsThere();
    await link(alice);
    await world.visit(AT_MICROSOFT, { provider: "microsoft", purpose: "link", token: alice });
    const client = { ip: HOME, token: bob };
    const asBob = { accountId: await idOf(bob), provider: "google" } as const;
    expect(await world.identity.unlinkProvider(asBob, client)).toEqual({ ok: false, code: "NOT_FOUND" });
    await world.identity.unlinkProvider(
      { accountId: await idOf(alice), provider: "google" },
      { ip: HOME, token: alice },
    );
    expect(await world.links()).toMatchObject([{ provider: "microsoft" }]);
  });
});
