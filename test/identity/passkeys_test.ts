import { beforeEach, describe, expect, test } from "bun:test";
import { PASSKEYS_PER_ACCOUNT } from "../../src/identity/factors/passkeys.ts";
import { fail } from "../../src/shared/result.ts";
import { accepted } from "../support/builders.ts";
import { type Lies, softwareAuthenticator } from "../support/software_authenticator.ts";
import { at, type FactorWorld, factorWorld } from "./factor_world.ts";
import { ALICE, BOB } from "./identity_world.ts";

const INVALID = fail("PASSKEY_INVALID");
const FOREIGN: [string, Lies][] = [
  ["another origin", { origin: "https://breachbell.example.evil.test" }],
  ["another rpID", { rpId: "evil.test" }],
  ["another challenge", { challenge: "AAAA" }],
];

let world: FactorWorld;

beforeEach(async () => {
  world = await factorWorld();
});

describe("addPasskey()", () => {
  test("the first passkey comes with ten recovery codes, the second one without", async () => {
    const alice = await world.signedIn();
    const first = await world.addKey(alice, softwareAuthenticator(), "Blue key");
    expect(first.recoveryCodes).toHaveLength(10);
    world.pass({ minutes: 1 });
    const second = await world.addKey(alice, softwareAuthenticator(), "Phone");
    expect(second.recoveryCodes).toEqual([]);
    const unused = { lastUsedAt: null };
    expect(accepted(await world.identity.factorsOf(alice.accountId))).toEqual({
      authenticator: null,
      passkeys: [
        { id: first.device.id, name: "Blue key", createdAt: "2026-11-20T12:00:00.000Z", ...unused },
        { id: second.device.id, name: "Phone", createdAt: "2026-11-20T12:01:00.000Z", ...unused },
      ],
      recoveryCodes: 10,
      mailboxLeaked: false,
    });
    const mails = await world.told();
    expect(mails.map(({ change, name }) => [change, name])).toEqual([
      ["passkey_added", "Blue key"],
      ["passkey_added", "Phone"],
    ]);
    const options = accepted(await world.identity.passkeyCreationOptions(alice));
    expect(options.excludeCredentials.map(({ id }) => id)).toEqual([first.device.id, second.device.id]);
  });

  test("a passkey added to an app brings no new recovery codes", async () => {
    const alice = await world.signedIn();
    await world.addApp(alice);
    expect((await world.addKey(alice)).recoveryCodes).toEqual([]);
    expect(accepted(await world.identity.login(ALICE, at())).methods).toEqual([
      "passkey",
      "authenticator",
      "recovery_code",
    ]);
  });

  test.each(FOREIGN)("rejects a response from %s, and its challenge is used up", async (_, lies) => {
    const alice = await world.signedIn();
    const device = softwareAuthenticator();
    const options = accepted(await world.identity.passkeyCreationOptions(alice));
    const add = (told: Lies) =>
      world.identity.addPasskey({ name: "Key", response: device.create(options, told) }, alice);
    expect(await add(lies)).toEqual(INVALID);
    expect(await add({})).toEqual(INVALID);
    expect(await world.told()).toEqual([]);
  });

  test("rejects a challenge that belongs to another session, is unknown, or is ten minutes old", async () => {
    const [alice, bob] = [await world.signedIn(), await world.signedIn(BOB)];
    const response = softwareAuthenticator().create(accepted(await world.identity.passkeyCreationOptions(alice)));
    expect(await world.identity.addPasskey({ name: "Key", response }, bob)).toEqual(INVALID);
    accepted(await world.identity.passkeyCreationOptions(bob));
    expect(await world.identity.addPasskey({ name: "Key", response }, bob)).toEqual(INVALID);
    world.pass({ minutes: 10 });
    expect(await world.identity.addPasskey({ name: "Key", response }, alice)).toEqual(INVALID);
  });

  test("a credential belongs to one account, once", async () => {
    const [alice, bob] = [await world.signedIn(), await world.signedIn(BOB)];
    const { device } = await world.addKey(alice);
    for (const who of [alice, bob]) {
      const response = device.create(accepted(await world.identity.passkeyCreationOptions(who)));
      expect(await world.identity.addPasskey({ name: "Again", response }, who)).toEqual(INVALID);
    }
    expect(accepted(await world.identity.factorsOf(bob.accountId)).passkeys).toEqual([]);
  });

  test("an account has at most ten, even if two tabs add the last concurrently", async () => {
    const alice = await world.signedIn();
    for (let i = 1; i < PASSKEYS_PER_ACCOUNT; i++) await world.addKey(alice);
    const options = accepted(await world.identity.passkeyCreationOptions(alice));
    await world.addKey(alice);
    expect(await world.identity.passkeyCreationOptions(alice)).toEqual(fail("TOO_MANY_PASSKEYS"));
    await world.transaction(({ sessions }) =>
      sessions.setPasskeyChallenge(alice.sessionId, `${world.now().getTime() + 1}.${options.challenge}`),
    );
    const late = { name: "Eleventh", response: softwareAuthenticator().create(options) };
    expect(await world.identity.addPasskey(late, alice)).toEqual(fail("TOO_MANY_PASSKEYS"));
  });
});

describe("verifyPasskey()", () => {
  test("a passkey completes the log-in; no code is mailed or can be requested", async () => {
    const alice = await world.signedIn();
    const { device } = await world.addKey(alice);
    const mailed = async () => (await world.mails()).filter(({ template }) => template === "login_code").length;
    const before = await mailed();
    const token = await world.login();
    expect(await world.identity.resendCode(token, { ip: "203.0.113.7" })).toEqual(fail("SESSION_EXPIRED"));
    expect(await world.identity.verifyCode({ code: "123456" }, at(token))).toEqual(fail("CODE_INVALID"));
    expect(await mailed()).toBe(before);
    world.pass({ minutes: 3 });
    const { token: full } = accepted(await world.touchKey(device, token));
    expect(await world.identity.sessionOf(full)).toMatchObject({ level: "authenticated", accountId: alice.accountId });
    const [passkey] = accepted(await world.identity.factorsOf(alice.accountId)).passkeys;
    expect(passkey?.lastUsedAt).toBe(world.now().toISOString());
  });

  test("a passkey without a counter can log in repeatedly", async () => {
    const { device } = await world.addKey(await world.signedIn(), softwareAuthenticator({ counts: false }));
    for (let i = 0; i < 3; i++) expect((await world.touchKey(device, await world.login())).ok).toBe(true);
  });

  test.each([...FOREIGN, ["a counter that decreases", { counter: 1 }]] as [string, Lies][])(
    "rejects %s, and counts it as a wrong code",
    async (_, lies) => {
      const { device } = await world.addKey(await world.signedIn());
      const token = await world.login();
      expect(await world.touchKey(device, token, lies)).toEqual(INVALID);
      expect((await world.userOf(ALICE.email))?.wrongCodes).toBe(1);
      expect((await world.touchKey(device, token)).ok).toBe(true);
    },
  );

  test("a response is valid once, for its own session and its own challenge", async () => {
    const { device } = await world.addKey(await world.signedIn());
    const [token, other] = [await world.login(), await world.login()];
    const response = device.get(accepted(await world.identity.passkeyRequestOptions({ token })));
    expect(await world.identity.verifyPasskey({ response }, at(other))).toEqual(INVALID);
    accepted(await world.identity.passkeyRequestOptions({ token: other }));
    expect(await world.identity.verifyPasskey({ response }, at(other))).toEqual(INVALID);
    const tries = Array.from({ length: 5 }, () => world.identity.verifyPasskey({ response }, at(token)));
    expect((await Promise.all(tries)).filter(({ ok }) => ok)).toHaveLength(1);
    expect(await world.identity.verifyPasskey({ response }, at(await world.login()))).toEqual(INVALID);
  });

  test("a challenge is voided by a newer one, and after ten minutes", async () => {
    const { device } = await world.addKey(await world.signedIn());
    const token = await world.login();
    const [first, second] = [
      accepted(await world.identity.passkeyRequestOptions({ token })),
      accepted(await world.identity.passkeyRequestOptions({ token })),
    ];
    expect(first.challenge).not.toBe(second.challenge);
    expect(await world.identity.verifyPasskey({ response: device.get(first) }, at(token))).toEqual(INVALID);
    const late = device.get(accepted(await world.identity.passkeyRequestOptions({ token })));
    world.pass({ minutes: 10 });
    expect(await world.identity.verifyPasskey({ response: late }, at(token))).toEqual(INVALID);
  });

  test("rejects another account's passkey, and one that was never added", async () => {
    await world.addKey(await world.signedIn());
    const { device: bobs } = await world.addKey(await world.signedIn(BOB));
    const token = await world.login();
    expect(await world.touchKey(bobs, token)).toEqual(INVALID);
    expect(await world.touchKey(softwareAuthenticator(), token)).toEqual(INVALID);
  });

  test("the fifth wrong response ends the log-in", async () => {
    const { device } = await world.addKey(await world.signedIn());
    const token = await world.login();
    for (let i = 0; i < 5; i++) expect(await world.touchKey(softwareAuthenticator(), token)).toEqual(INVALID);
    expect(await world.identity.passkeyRequestOptions({ token })).toEqual(fail("UNAUTHENTICATED"));
    const response = device.get({ challenge: "AAAA", rpId: "breachbell.example" });
    expect(await world.identity.verifyPasskey({ response }, at(token))).toEqual(INVALID);
  });

  test("options require a pending log-in of an account with a passkey", async () => {
    const alice = await world.signedIn();
    expect(await world.identity.passkeyRequestOptions(at())).toEqual(fail("UNAUTHENTICATED"));
    expect(await world.identity.passkeyRequestOptions(at("forged"))).toEqual(fail("UNAUTHENTICATED"));
    expect(await world.identity.passkeyRequestOptions(alice.client)).toEqual(fail("UNAUTHENTICATED"));
    expect(await world.identity.passkeyRequestOptions(at(await world.login()))).toEqual(INVALID);
  });
});

describe("changing passkeys", () => {
  test("a log-in that was pending when a passkey was added has to start again, with the passkey", async () => {
    const alice = await world.signedIn();
    world.pass({ minutes: 1 });
    const token = await world.login();
    const code = await world.code();
    const { device } = await world.addKey(alice);
    expect(await world.identity.verifyCode({ code }, at(token))).toEqual(fail("CODE_INVALID"));
    const again = await world.login();
    expect(await world.identity.verifyCode({ code }, at(again))).toEqual(fail("CODE_INVALID"));
    expect((await world.touchKey(device, again)).ok).toBe(true);
  });

  test("renamePasskey() renames one of the account's own, and nothing else", async () => {
    const [alice, bob] = [await world.signedIn(), await world.signedIn(BOB)];
    const { device } = await world.addKey(alice);
    const elsewhere = accepted(await world.touchKey(device, await world.login()));
    expect(await world.identity.renamePasskey(device.id, { name: "Mine", holder: bob })).toEqual(fail("NOT_FOUND"));
    expect((await world.identity.renamePasskey(device.id, { name: "Red", holder: alice })).ok).toBe(true);
    expect(accepted(await world.identity.factorsOf(alice.accountId)).passkeys).toMatchObject([{ name: "Red" }]);
    expect(await world.identity.sessionOf(elsewhere.token)).toBeDefined();
    expect((await world.history(alice.accountId)).at(-1)).toEqual({ event: "passkey_renamed", name: "Red" });
  });

  test("removePasskey() removes one of the account's own; after the last one recovery codes are deleted and mailed codes are used again", async () => {
    const [alice, bob] = [await world.signedIn(), await world.signedIn(BOB)];
    const [one, two] = [await world.addKey(alice), await world.addKey(alice, softwareAuthenticator(), "Two")];
    const left = async () => accepted(await world.identity.factorsOf(alice.accountId)).recoveryCodes;
    expect(await world.identity.removePasskey(one.device.id, bob)).toEqual(fail("NOT_FOUND"));
    expect((await world.identity.removePasskey(one.device.id, alice)).ok).toBe(true);
    expect(await left()).toBe(10);
    const token = await world.login();
    expect(await world.touchKey(one.device, token)).toEqual(INVALID);
    const elsewhere = accepted(await world.touchKey(two.device, token));
    expect((await world.identity.removePasskey(two.device.id, alice)).ok).toBe(true);
    expect(await left()).toBe(0);
    expect(await world.identity.sessionOf(elsewhere.token)).toBeUndefined();
    expect(accepted(await world.identity.login(ALICE, at())).methods).toEqual(["email"]);
    expect((await world.told()).at(-1)).toEqual({ to: ALICE.email, change: "passkey_removed", name: "Two" });
    expect(await world.identity.removePasskey(two.device.id, alice)).toEqual(fail("NOT_FOUND"));
  });
});
