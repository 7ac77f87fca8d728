import { beforeEach, describe, expect, test } from "bun:test";
import type { ProviderProfile } from "../../src/identity/sign_in/provider_ports.ts";
import { ALICE, HOME } from "./identity_world.ts";
import { AT_HOME, providerWorld } from "./provider_world.ts";

let world: ReturnType<typeof providerWorld>;
let byPassword: string;
beforeEach(async () => {
  world = providerWorld({ hasHome: true });
  await world.identity.register(ALICE, { ip: HOME });
  byPassword = await world.signIn();
  await world.visit(AT_HOME, { purpose: "link", token: byPassword });
});

const MFA: ProviderProfile = { ...AT_HOME, hasSecondStep: true };
async function signIn(session: ProviderProfile["session"] = {}): Promise<string> {
  const visited = await world.visit({ ...MFA, session });
  if (!visited.ok || visited.value.outcome !== "signed_in") throw new Error("Cannot sign in");
  return visited.value.token;
}
const lives = async (token: string) => (await world.identity.sessionOf(token)) !== undefined;
let ids = 0;
const end = (of: { subject?: string; sid?: string }, id = `token-${++ids}`) =>
  world.identity.endByLogoutToken("oidc", JSON.stringify({ id, ...of }));
const done = { ok: true, value: undefined } as const;
const invalid = { ok: false, code: "SIGNATURE_INVALID" } as const;

describe("logout()", () => {
  test("leads to the provider's logout with the ID token, which is stored encrypted and goes with the session", async () => {
    const token = await signIn({ idToken: "eyJ-the-token" });
    const stored = await world.transaction(({ sessions }) => sessions.findLiving(world.hashToken(token), world.now()));
    expect(JSON.stringify(stored)).not.toContain("eyJ-the-token");
    expect(await world.identity.logout({ ip: HOME, token })).toEqual({
      ok: true,
      value: { url: "https://oidc.example/logout?id_token_hint=eyJ-the-token" },
    });
    expect(await lives(token)).toBe(false);
    // Only whoever holds the session is led there.
    expect(await world.identity.logout({ ip: HOME, token })).toEqual({ ok: true, value: { url: undefined } });
  });

  test("stays here for a session with the password", async () => {
    const out = await world.identity.logout({ ip: HOME, token: byPassword });
    expect(out).toEqual({ ok: true, value: { url: undefined } });
  });
});

describe("endByLogoutToken()", () => {
  test("ends all sessions of the person by this provider, and no others", async () => {
    const [one, other] = [await signIn(), await signIn({ sid: "s-2" })];
    expect(await end({ subject: AT_HOME.subject })).toEqual(done);
    expect([await lives(one), await lives(other), await lives(byPassword)]).toEqual([false, false, true]);
    const accountId = (await world.userOf(ALICE.email))?.id ?? "";
    const audited = await world.transaction(({ audit }) => audit.list(accountId, new Date(0), 100));
    const ended = audited.filter(({ event }) => event === "signed_out_at_provider");
    expect(ended.map(({ detail }) => detail)).toEqual([{ provider: "Home" }, { provider: "Home" }]);
  });

  test("ends one session by its id there, also with the person's, and those whose id is not known", async () => {
    const [one, other, unnamed] = [await signIn({ sid: "s-1" }), await signIn({ sid: "s-2" }), await signIn()];
    expect(await end({ sid: "s-1" })).toEqual(done);
    expect([await lives(one), await lives(other), await lives(unnamed)]).toEqual([false, true, true]);
    expect(await end({ subject: AT_HOME.subject, sid: "s-3" })).toEqual(done);
    expect([await lives(other), await lives(unnamed)]).toEqual([true, false]);
  });

  test("ends a login that waits for its second step", async () => {
    const visited = await world.visit(AT_HOME);
    if (!visited.ok || visited.value.outcome !== "second_step") throw new Error("Cannot start");
    expect(await end({ subject: AT_HOME.subject })).toEqual(done);
    expect(await lives(visited.value.token)).toBe(false);
  });

  test("counts once: a repeated token ends no session that began meanwhile, even concurrently", async () => {
    const before = await signIn();
    const answers = await Promise.all([1, 2, 3].map(() => end({ subject: AT_HOME.subject }, "the-token")));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await lives(before)).toBe(false);
    const after = await signIn();
    expect(await end({ subject: AT_HOME.subject }, "the-token")).toEqual(invalid);
    expect(await lives(after)).toBe(true);
    // Longer than a token is accepted.
    world.pass({ minutes: 9 });
    expect(await end({ subject: AT_HOME.subject }, "the-token")).toEqual(invalid);
  });

  test("accepts a person without a session, and refuses an unsigned token and an unknown provider", async () => {
    expect(await end({ subject: "nobody" })).toEqual(done);
    expect(await world.identity.endByLogoutToken("oidc", "forged")).toEqual(invalid);
    expect(await world.identity.endByLogoutToken("github", "{}")).toEqual({ ok: false, code: "NOT_FOUND" });
  });

  test("ends nothing at another provider with the same subject", async () => {
    const google = { ...AT_HOME, hasSecondStep: true };
    await world.visit(google, { provider: "google", purpose: "link", token: byPassword });
    const visited = await world.visit(google, { provider: "google" });
    if (!visited.ok || visited.value.outcome !== "signed_in") throw new Error("Cannot sign in");
    expect(await end({ subject: AT_HOME.subject })).toEqual(done);
    expect(await lives(visited.value.token)).toBe(true);
  });
});
