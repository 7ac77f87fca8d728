import { beforeEach, describe, expect, test } from "bun:test";
import type { ProviderProfile } from "../../src/identity/sign_in/provider_ports.ts";
import { ALICE, BOB, HOME } from "./identity_world.ts";
import { AT_HOME, HOME_ISSUER, providerWorld } from "./provider_world.ts";

let world: ReturnType<typeof providerWorld>;
let alice: string;
beforeEach(async () => {
  world = providerWorld({ hasHome: true });
  await world.identity.register(ALICE, { ip: HOME });
  alice = await world.signIn();
  world.pass({ minutes: 2 });
});

const MFA: ProviderProfile = { ...AT_HOME, hasSecondStep: true };
const linkHome = () => world.visit(AT_HOME, { purpose: "link", token: alice });
const user = async () => world.userOf(ALICE.email);

/** A complete sign-in by the provider, with the mailed code where one is asked for. */
async function signIn(profile: ProviderProfile): Promise<string> {
  world.pass({ minutes: 2 });
  const visited = await world.visit(profile);
  if (!visited.ok) throw new Error(visited.code);
  if (visited.value.outcome === "signed_in") return visited.value.token;
  if (visited.value.outcome !== "second_step") throw new Error(visited.value.outcome);
  const { token } = visited.value;
  const verified = await world.identity.verifyCode({ code: await world.code() }, { ip: HOME, token });
  if (!verified.ok) throw new Error(verified.code);
  return verified.value.token;
}
const acts = async () =>
  (await world.published())
    .filter((event) => event.type === "staff.acted")
    .map(({ act, actor }) => `${actor.by} ${act}`);

describe("finishProvider() with a second step that the provider made", () => {
  test("signs in at once where the operator trusts it and the identity is linked", async () => {
    await linkHome();
    const before = (await world.mails()).length;
    const visited = await world.visit(MFA);
    expect(visited).toMatchObject({ ok: true, value: { outcome: "signed_in", language: "de" } });
    if (!visited.ok || visited.value.outcome !== "signed_in") throw new Error("unreachable");
    expect(await world.identity.sessionOf(visited.value.token)).toMatchObject({
      level: "authenticated",
      confirmed: false,
    });
    const mails = (await world.mails()).slice(before);
    expect(mails.map(({ template }) => template)).toEqual(["new_sign_in"]);
    // The browser is known from then on.
    expect(visited.value.deviceToken).toBeString();
  });

  test("asks for our own when the identity is not linked yet: the code proves the mailbox", async () => {
    expect(await world.visit(MFA)).toMatchObject({ value: { outcome: "second_step", methods: ["email"] } });
    await signIn(MFA);
    expect(await world.links()).toMatchObject([{ provider: HOME_ISSUER, subject: AT_HOME.subject }]);
    expect(await world.visit(MFA)).toMatchObject({ value: { outcome: "signed_in" } });
  });

  test("does not open a locked account, and ends the browser's previous session", async () => {
    await linkHome();
    const token = await signIn(MFA);
    const again = await world.visit(MFA, { token });
    expect(again).toMatchObject({ value: { outcome: "signed_in" } });
    expect(await world.identity.sessionOf(token)).toBeUndefined();
    const because = { reason: "A test", evenLast: true };
    await world.identity.lockAccount((await user())?.id ?? "", because, { by: "command_line" });
    expect(await world.visit(MFA)).toEqual({ ok: false, code: "ACCOUNT_LOCKED" });
  });

  test("does not sign in during maintenance, unless one is staff", async () => {
    let isUnderMaintenance = false;
    world = providerWorld({ hasHome: true, isUnderMaintenance: () => isUnderMaintenance });
    await world.identity.register(ALICE, { ip: HOME });
    alice = await world.signIn();
    await linkHome();
    isUnderMaintenance = true;
    expect(await world.visit(MFA)).toEqual({ ok: false, code: "MAINTENANCE" });
    await world.identity.setStaff((await user())?.id ?? "", { staff: true });
    expect(await world.visit(MFA)).toMatchObject({ value: { outcome: "signed_in" } });
  });
});

describe("A provider's group whose members are staff", () => {
  const admin = { ...AT_HOME, isStaff: true };
  const plain = { ...AT_HOME, isStaff: false };

  test.each([
    ["with our second step", admin],
    ["with the provider's", { ...admin, hasSecondStep: true }],
  ])("makes a member staff at the completed login, %s", async (_, profile) => {
    await linkHome();
    const token = await signIn(profile);
    expect(await world.identity.sessionOf(token)).toMatchObject({ staff: true });
    expect(await user()).toMatchObject({ staff: true, staffBy: HOME_ISSUER });
    expect(await acts()).toEqual(["provider staff_granted"]);
    await signIn(profile);
    expect(await acts()).toHaveLength(1);
  });

  test("makes nobody staff before the second step", async () => {
    await linkHome();
    world.pass({ minutes: 2 });
    expect(await world.visit(admin)).toMatchObject({ value: { outcome: "second_step" } });
    expect(await user()).toMatchObject({ staff: false });
  });

  test.each([
    ["a login without the group", () => signIn(plain)],
    ["a login after the operator removed the setting", () => signIn(AT_HOME)],
    ["a login with the password, which shows no group", () => world.signIn()],
  ])("takes the right away at %s", async (_, login) => {
    await linkHome();
    await signIn(admin);
    world.pass({ minutes: 2 });
    const token = await login();
    expect(await world.identity.sessionOf(token)).toMatchObject({ staff: false });
    expect(await user()).toMatchObject({ staff: false, staffBy: undefined });
    expect(await acts()).toEqual(["provider staff_granted", "provider staff_withdrawn"]);
  });

  test("takes it away with the link", async () => {
    await linkHome();
    await signIn(admin);
    const accountId = (await user())?.id ?? "";
    await world.identity.unlinkProvider({ accountId, provider: "oidc" }, { ip: HOME, token: alice });
    expect(await user()).toMatchObject({ staff: false });
  });

  test("does not touch a right that the command line gave, also when it gave it later", async () => {
    await linkHome();
    const accountId = (await user())?.id ?? "";
    await world.identity.setStaff(accountId, { staff: true });
    await signIn(plain);
    expect(await user()).toMatchObject({ staff: true });
    await world.identity.setStaff(accountId, { staff: false, evenLast: true });
    await signIn(admin);
    expect(await user()).toMatchObject({ staff: true, staffBy: HOME_ISSUER });
    await world.identity.setStaff(accountId, { staff: true });
    await signIn(plain);
    expect(await user()).toMatchObject({ staff: true, staffBy: undefined });
  });

  test("comes back at the next login after the command line took the right from a member", async () => {
    await linkHome();
    await signIn(admin);
    await world.identity.setStaff((await user())?.id ?? "", { staff: false, evenLast: true });
    expect(await user()).toMatchObject({ staff: false });
    await signIn(admin);
    expect(await user()).toMatchObject({ staff: true });
  });

  test("gives nothing to an account that is not linked to the member when the login completes", async () => {
    world.pass({ minutes: 2 });
    const started = await world.visit(admin);
    if (!started.ok || started.value.outcome !== "second_step") throw new Error("Cannot start");
    const code = await world.code();
    await world.identity.register(BOB, { ip: HOME });
    const bob = await world.signIn(BOB);
    await world.visit(admin, { purpose: "link", token: bob });
    const { token } = started.value;
    expect(await world.identity.verifyCode({ code }, { ip: HOME, token })).toMatchObject({ ok: true });
    expect(await user()).toMatchObject({ staff: false });
  });
});
