import { describe, expect, test } from "bun:test";
import { createIdentity } from "../../src/identity/mod.ts";
import { fail, ok } from "../../src/shared/result.ts";
import { browserOf } from "./browser.ts";
import { ALICE, BOB, HOME, identityWorld } from "./identity_world.ts";

const CLIENT = { ip: HOME, token: undefined };

async function registered(account = ALICE) {
  const world = identityWorld();
  await world.identity.register(account, { ip: HOME });
  const accountId = (await world.userOf(account.email))?.id ?? "";
  return {
    ...world,
    accountId,
    accepted: () => world.transaction(({ acceptances }) => acceptances.list(accountId)),
    audited: async () => {
      const events = await world.transaction(({ audit }) => audit.list(accountId, new Date(0), 100));
      return events.filter(({ event }) => event === "terms_accepted");
    },
    /** The same accounts, after the terms have changed. */
    since: (termsVersion: string) => createIdentity({ ...world, termsVersion }),
    terms: async (identity = world.identity) => {
      const profile = await identity.profileOf(accountId);
      return profile.ok ? profile.value.terms : profile.code;
    },
  };
}

describe("register() and the terms", () => {
  test("register() records the version in force with its time", async () => {
    const world = await registered();
    expect(await world.accepted()).toEqual([{ accountId: world.accountId, version: "2.0", acceptedAt: world.now() }]);
    expect(await world.terms()).toEqual({ current: "2.0", accepted: "2.0" });
    const told = await registered({ ...ALICE, termsVersion: "2.0" });
    expect(await told.terms()).toEqual({ current: "2.0", accepted: "2.0" });
  });

  test("register() records nothing when another version was shown", async () => {
    const world = await registered({ ...ALICE, termsVersion: "1.0" });
    expect(await world.accepted()).toEqual([]);
    expect(await world.terms()).toEqual({ current: "2.0", accepted: null });
  });
});

describe("acceptTerms()", () => {
  test("acceptTerms() is required again when the version changes, and keeps earlier acceptances", async () => {
    const world = await registered();
    const later = world.since("3.0");
    expect(await world.terms(later)).toEqual({ current: "3.0", accepted: "2.0" });
    world.pass({ hours: 24 });
    expect(await later.acceptTerms(world.accountId, { version: "3.0" }, CLIENT)).toEqual(
      ok({ current: "3.0", accepted: "3.0" }),
    );
    expect((await world.accepted()).map(({ version }) => version)).toEqual(["3.0", "2.0"]);
    expect(await world.audited()).toMatchObject([{ detail: { version: "3.0" }, at: world.now() }]);
    // The older version is in force again, as after a downgrade: it was already accepted.
    expect(await world.terms()).toEqual({ current: "2.0", accepted: "2.0" });
  });

  test("acceptTerms() repeated or concurrent gives one acceptance, one audit log line, and the first time", async () => {
    const world = await registered({ ...ALICE, termsVersion: "1.0" });
    const first = world.now();
    const accept = () => world.identity.acceptTerms(world.accountId, { version: "2.0" }, CLIENT);
    const answers = await Promise.all(Array.from({ length: 10 }, accept));
    world.pass({ hours: 1 });
    for (const answer of [...answers, await accept()]) expect(answer).toEqual(ok({ current: "2.0", accepted: "2.0" }));
    expect(await world.accepted()).toEqual([{ accountId: world.accountId, version: "2.0", acceptedAt: first }]);
    expect(await world.audited()).toHaveLength(1);
  });

  test("acceptTerms() refuses a version that is not in force, and a deleted account", async () => {
    const world = await registered();
    for (const version of ["1.0", "3.0", ""])
      expect(await world.identity.acceptTerms(world.accountId, { version }, CLIENT)).toEqual(fail("TERMS_CHANGED"));
    const nobody = crypto.randomUUID();
    expect(await world.identity.acceptTerms(nobody, { version: "2.0" }, CLIENT)).toEqual(fail("NOT_FOUND"));
    expect(await world.audited()).toEqual([]);
  });

  test("the export lists every version with its time", async () => {
    const world = await registered();
    await world.since("3.0").acceptTerms(world.accountId, { version: "3.0" }, CLIENT);
    const document = await world.identity.exportData(world.accountId, CLIENT);
    const acceptedAt = world.now().toISOString();
    expect(document.ok && document.value.account).toMatchObject({
      acceptedTerms: expect.arrayContaining([
        { version: "2.0", acceptedAt },
        { version: "3.0", acceptedAt },
      ]),
    });
  });
});

describe("POST /api/terms/accept", () => {
  test("requires a session, and accepts for its own account only", async () => {
    const world = identityWorld();
    for (const account of [ALICE, BOB]) await world.identity.register({ ...account, termsVersion: "1" }, { ip: HOME });
    const [alice, nobody] = [browserOf(world), browserOf(world)];
    const { email, password } = ALICE;
    const body = { version: "2.0" };
    expect((await nobody.post("/api/terms/accept", body)).status).toBe(401);
    await alice.post("/api/login", { email, password });
    expect((await alice.post("/api/terms/accept", body)).status).toBe(401);
    await alice.post("/api/verify-code", { code: await world.code() });
    expect((await alice.get("/api/me")).body).toMatchObject({ terms: { current: "2.0", accepted: null } });
    expect(await alice.post("/api/terms/accept", { version: "1.0" })).toMatchObject({
      status: 409,
      body: { code: "TERMS_CHANGED" },
    });
    for (const wrong of [{}, { version: 2 }, { version: "2.0", accountId: "x" }, { version: "2".repeat(21) }])
      expect((await alice.post("/api/terms/accept", wrong)).status).toBe(422);
    expect(await alice.post("/api/terms/accept", body)).toMatchObject({
      status: 200,
      body: { current: "2.0", accepted: "2.0" },
    });
    expect((await alice.get("/api/me")).body).toMatchObject({ terms: { current: "2.0", accepted: "2.0" } });
    const bob = await world.userOf(BOB.email);
    expect(await world.transaction(({ acceptances }) => acceptances.list(bob?.id ?? ""))).toEqual([]);
    expect((await alice.get("/api/activity")).body).toMatchObject({
      events: expect.arrayContaining([expect.objectContaining({ event: "terms_accepted", detail: body })]),
    });
  });
});
