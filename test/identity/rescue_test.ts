import { describe, expect, test } from "bun:test";
import { fail, ok } from "../../src/shared/result.ts";
import { accepted } from "../support/builders.ts";
import { at, factorWorld } from "./factor_world.ts";
import { ALICE, BOB, HOME } from "./identity_world.ts";

const BECAUSE = { reason: "Lost the phone" };
const NEW = "Quiet-River-9-Boat";
const CAROL = { ...BOB, email: "carol@example.org" };

async function rescued() {
  const world = await factorWorld();
  const alice = await world.signedIn();
  await world.signedIn(BOB);
  const noted = async () =>
    (await world.published()).flatMap((event) =>
      event.type === "staff.acted" ? [[event.actor.by, event.act, event.object.id, event.reason]] : [],
    );
  const mailed = async (template: string) =>
    (await world.mails()).filter((mail) => mail.template === template).map(({ to }) => to);
  const events = async () => (await world.history(alice.accountId)).map(({ event }) => event);
  return { ...world, alice, noted, mailed, events };
}

describe("resetFactors()", () => {
  test("makes the mailed code the second step again, and ends all sessions", async () => {
    const { identity, alice, addApp, addKey, noted, mailed, events, signIn } = await rescued();
    await addApp(alice);
    await addKey(alice);
    expect(await identity.resetFactors(alice.accountId, BECAUSE)).toEqual(ok(true));
    expect(await identity.sessionOf(alice.client.token ?? "")).toBeUndefined();
    expect(await identity.sessionOf(await signIn())).toMatchObject({ accountId: alice.accountId });
    expect(accepted(await identity.factorsOf(alice.accountId))).toMatchObject({
      authenticator: null,
      passkeys: [],
      recoveryCodes: 0,
    });
    expect(await mailed("account_factors_reset")).toEqual([ALICE.email]);
    expect(await noted()).toEqual([["command_line", "factors_reset", alice.accountId, BECAUSE.reason]]);
    expect(await events()).toContain("factors_reset_by_operator");
  });

  test("changes nothing where there are none, and refuses an unknown account", async () => {
    const { identity, alice, noted, mailed } = await rescued();
    expect(await identity.resetFactors(alice.accountId, BECAUSE)).toEqual(ok(false));
    expect(await identity.sessionOf(alice.client.token ?? "")).toBeDefined();
    expect(await identity.resetFactors(crypto.randomUUID(), BECAUSE)).toEqual(fail("NOT_FOUND"));
    expect([await noted(), await mailed("account_factors_reset")]).toEqual([[], []]);
  });
});

describe("makeResetLink()", () => {
  test("makes a link that works once, replaces the former one, and leaves the password until then", async () => {
    const { identity, alice, forgot, resetToken, noted, mailed, events } = await rescued();
    await forgot();
    const former = await resetToken();
    const { token, language, minutes } = accepted(await identity.makeResetLink(alice.accountId, BECAUSE));
    expect([language, minutes]).toEqual(["de", 60]);
    expect(await identity.checkResetLink(former)).toEqual(fail("RESET_LINK_INVALID"));
    expect(accepted(await identity.login(ALICE, at())).methods).toEqual(["email"]);
    expect(await identity.resetPassword({ token, password: NEW }, { ip: HOME })).toMatchObject({ ok: true });
    expect(await identity.resetPassword({ token, password: `${NEW}!` }, { ip: HOME })).toEqual(
      fail("RESET_LINK_INVALID"),
    );
    expect(accepted(await identity.login({ ...ALICE, password: NEW }, at())).methods).toEqual(["email"]);
    expect(await mailed("account_reset_link")).toEqual([ALICE.email]);
    expect(await noted()).toEqual([["command_line", "reset_link_made", alice.accountId, BECAUSE.reason]]);
    expect(await events()).toContain("reset_link_made_by_operator");
  });

  test("expires after an hour", async () => {
    const { identity, alice, pass } = await rescued();
    const { token } = accepted(await identity.makeResetLink(alice.accountId, BECAUSE));
    pass({ minutes: 60 });
    expect(await identity.checkResetLink(token)).toEqual(fail("RESET_LINK_INVALID"));
  });

  test("is refused for an address that nobody has proven, and for an unknown account", async () => {
    const { identity, userOf, noted } = await rescued();
    accepted(await identity.register(CAROL, { ip: HOME }));
    const carol = (await userOf(CAROL.email))?.id ?? "";
    expect(await identity.makeResetLink(carol, BECAUSE)).toEqual(fail("STAFF_UNVERIFIED"));
    expect(await identity.makeResetLink(crypto.randomUUID(), BECAUSE)).toEqual(fail("NOT_FOUND"));
    expect(await noted()).toEqual([]);
  });
});
