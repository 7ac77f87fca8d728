import { describe, expect, test } from "bun:test";
import { FULL_SCOPE, NO_SCOPE } from "../../src/shared/consent.ts";
import { listsOf } from "../../src/shared/contacts.ts";
import { ALICE, accepted, anAssociation, BOB, CHARLIE } from "../support/builders.ts";
import { trackingWorld } from "../support/tracking.ts";

const LISTS = { ...listsOf([]), email: ["new@example.com"], telegram: ["Alice_M"] };
const STORED = [
  { channel: "email", value: "new@example.com" },
  { channel: "telegram", value: "Alice_M" },
];
const granted = () =>
  anAssociation({
    address: BOB.address,
    owner: false,
    consent: "granted",
    scope: { details: true, sensitive: false },
    scopeVersion: 1,
    openAlerts: 2,
    openVersion: 3,
  });

describe("updateAssociation()", () => {
  test("changes language, contacts and pause, and publishes the changes", async () => {
    const { tracking, store, published, associationsOf } = trackingWorld();
    const own = anAssociation();
    await store(own);
    const input = { owner: true, language: "pt", contacts: LISTS, paused: true } as const;
    const changed = accepted(await tracking.updateAssociation(ALICE.accountId, own.id, input));
    expect(changed).toMatchObject({ id: own.id, language: "pt", contacts: LISTS, paused: true, status: "inactive" });
    expect(await associationsOf(ALICE.accountId)).toMatchObject([{ language: "pt", contacts: STORED, paused: true }]);
    const about = { associationId: own.id, accountId: ALICE.accountId };
    expect(await published()).toMatchObject([
      { type: "tracking.contactsChanged", ...about, language: "pt", contacts: STORED },
      { type: "tracking.monitoringSuspended", ...about, address: ALICE.address, reason: "paused" },
    ]);
  });

  test("keeps the own address as own, whatever the checkbox says", async () => {
    const { tracking, store, associationsOf } = trackingWorld();
    const own = anAssociation();
    await store(own);
    const input = { owner: false, language: "en", contacts: LISTS, paused: false } as const;
    await tracking.updateAssociation(ALICE.accountId, own.id, input);
    expect(await associationsOf(ALICE.accountId)).toMatchObject([{ id: own.id, owner: true, consent: "own" }]);
  });

  test("asks again in the language of the invitation, which differs from that of the account's own alerts", async () => {
    const { tracking, store, published } = trackingWorld();
    const former = { ...granted(), owner: true };
    await store(former);
    const input = { owner: false, language: "en", invitationLanguage: "it", contacts: LISTS, paused: false } as const;
    const changed = accepted(await tracking.updateAssociation(ALICE.accountId, former.id, input));
    expect(changed).toMatchObject({ owner: false, language: "en" });
    expect((await published()).filter(({ type }) => type === "tracking.consentRequested")).toMatchObject([
      { associationId: changed.id, kind: "invitation", language: "it" },
    ]);
  });

  test("asks the owner again when it is marked as somebody else's, and monitors nothing before the answer", async () => {
    const { tracking, store, published, associationsOf } = trackingWorld();
    const former = granted();
    await store(former);
    const input = { owner: true, language: "it", contacts: LISTS, paused: false } as const;
    const changed = accepted(await tracking.updateAssociation(ALICE.accountId, former.id, input));
    expect(changed).toMatchObject({ owner: true, consent: "pending", scope: NO_SCOPE, status: null });
    expect(changed.id).not.toBe(former.id);
    expect(await associationsOf(ALICE.accountId)).toMatchObject([
      { id: changed.id, consent: "pending", scopeVersion: 0, openAlerts: 0, openVersion: 0 },
    ]);
    const about = { accountId: ALICE.accountId, address: BOB.address };
    const events = await published();
    expect(events.filter((event) => "associationId" in event && event.associationId === former.id)).toEqual([
      { type: "tracking.consentDropped", associationId: former.id, ...about },
      { type: "tracking.monitoringStopped", associationId: former.id, ...about },
    ]);
    expect(events.filter((event) => "associationId" in event && event.associationId === changed.id)).toEqual([
      { type: "tracking.consentRequested", associationId: changed.id, ...about, kind: "ownership", language: "it" },
    ]);
  });

  test("responds for another account's association as for an unknown one, and changes nothing", async () => {
    const { tracking, store, published, associationsOf } = trackingWorld();
    const own = anAssociation();
    await store(own);
    const input = { owner: true, language: "pt", contacts: LISTS, paused: true } as const;
    const absent = crypto.randomUUID();
    for (const [accountId, id] of [
      [BOB.accountId, own.id],
      [ALICE.accountId, absent],
    ] as const) {
      const nothing = { ok: false, code: "NOT_FOUND" } as const;
      expect(await tracking.updateAssociation(accountId, id, input)).toEqual(nothing);
      expect(await tracking.showAssociation(accountId, id)).toEqual(nothing);
      expect(await tracking.pauseAssociation(accountId, id, true)).toEqual(nothing);
      expect(await tracking.removeAssociation(accountId, id)).toEqual(nothing);
    }
    expect(await associationsOf(ALICE.accountId)).toEqual([own]);
    expect(await published()).toEqual([]);
  });
});

describe("pauseAssociation()", () => {
  test("pauses and resumes, and publishes each only once", async () => {
    const { tracking, store, published } = trackingWorld();
    const own = anAssociation();
    await store(own);
    for (const paused of [true, true, false, false]) await tracking.pauseAssociation(ALICE.accountId, own.id, paused);
    expect((await published()).map(({ type }) => type)).toEqual([
      "tracking.monitoringSuspended",
      "tracking.monitoringResumed",
    ]);
  });

  test("publishes nothing for one that is suspended by the plan anyway", async () => {
    const { tracking, store, published } = trackingWorld();
    const own = anAssociation({ suspended: true });
    await store(own);
    for (const paused of [true, false]) await tracking.pauseAssociation(ALICE.accountId, own.id, paused);
    expect(await published()).toEqual([]);
  });
});

describe("keepAssociations()", () => {
  const at = (day: number) => ({ createdAt: new Date(Date.UTC(2026, 10, day)) });
  async function smallPlan() {
    const world = trackingWorld();
    world.plan.cap = 1;
    const [first, second] = [
      anAssociation({ ...at(1) }),
      anAssociation({ ...at(2), address: CHARLIE.address, suspended: true }),
    ];
    await world.store(first, second);
    const suspended = async () =>
      (await world.associationsOf(ALICE.accountId)).flatMap(({ id, suspended }) => (suspended ? [id] : []));
    return { ...world, first, second, suspended };
  }

  test("replaces what the plan covers", async () => {
    const { tracking, first, second, suspended, published } = await smallPlan();
    await tracking.keepAssociations(ALICE.accountId, [second.id]);
    expect(await suspended()).toEqual([first.id]);
    expect(await published()).toMatchObject([
      { type: "tracking.monitoringSuspended", associationId: first.id, reason: "plan" },
      { type: "tracking.monitoringResumed", associationId: second.id, reason: "plan" },
    ]);
    await tracking.keepAssociations(ALICE.accountId, []);
    expect(await suspended()).toEqual([second.id]);
  });

  test("never covers more than the plan, however many are chosen, and no other account's", async () => {
    const { tracking, first, second, suspended, store } = await smallPlan();
    const bobs = anAssociation({ ...BOB, suspended: true });
    await store(bobs);
    await tracking.keepAssociations(ALICE.accountId, [first.id, second.id, bobs.id]);
    expect(await suspended()).toEqual([second.id]);
    expect(await tracking.listAssociations(BOB.accountId, { search: "", status: "all", page: 1 })).toMatchObject({
      value: { items: [{ suspended: true, preferred: false }] },
    });
  });

  test("resumes what was beyond the cap when another one is removed", async () => {
    const { tracking, first, second, suspended } = await smallPlan();
    expect(await suspended()).toEqual([second.id]);
    expect(await tracking.removeAssociation(ALICE.accountId, first.id)).toEqual({ ok: true, value: undefined });
    expect(await suspended()).toEqual([]);
  });
});

describe("removeAssociations()", () => {
  test("removes the account's own and leaves all others", async () => {
    const { tracking, store, published, associationsOf } = trackingWorld();
    const [own, pending, bobs] = [
      anAssociation(),
      anAssociation({ address: CHARLIE.address, consent: "pending", scope: NO_SCOPE }),
      anAssociation({ ...BOB }),
    ];
    await store(own, pending, bobs);
    const ids = [own.id, pending.id, bobs.id, crypto.randomUUID()];
    expect(await tracking.removeAssociations(ALICE.accountId, ids)).toEqual({ ok: true, value: { removed: 2 } });
    expect(await associationsOf(ALICE.accountId)).toEqual([]);
    expect(await associationsOf(BOB.accountId)).toEqual([bobs]);
    expect((await published()).map((event) => [event.type, "associationId" in event && event.associationId])).toEqual([
      ["tracking.monitoringStopped", own.id],
      ["tracking.consentDropped", pending.id],
    ]);
  });
});

describe("onGranted()", () => {
  const grant = (associationId: string, scope = FULL_SCOPE, version = 2) => ({
    type: "invitations.granted" as const,
    invitationId: crypto.randomUUID(),
    associationId,
    accountId: ALICE.accountId,
    address: BOB.address,
    scope,
    version,
  });
  const waiting = (more = {}) =>
    anAssociation({ address: BOB.address, owner: false, consent: "pending", scope: NO_SCOPE, ...more });

  test("starts monitoring, within the scope", async () => {
    const { tracking, store, published, associationsOf } = trackingWorld();
    const association = waiting();
    await store(association);
    const scope = { details: false, sensitive: true };
    await tracking.onGranted(grant(association.id, scope));
    expect(await associationsOf(ALICE.accountId)).toMatchObject([{ consent: "granted", scope, scopeVersion: 2 }]);
    expect((await published()).map(({ type }) => type)).toEqual([
      "tracking.contactsChanged",
      "tracking.monitoringStarted",
    ]);
    await tracking.onGranted(grant(association.id, FULL_SCOPE, 1));
    await tracking.onGranted(grant(association.id, FULL_SCOPE, 2));
    expect(await associationsOf(ALICE.accountId)).toMatchObject([{ scope }]);
    expect(await published()).toEqual([]);
    await tracking.onGranted(grant(association.id, FULL_SCOPE, 3));
    expect(await published()).toMatchObject([{ type: "tracking.scopeChanged", scope: FULL_SCOPE }]);
  });

  test("starts suspended what the plan does not cover", async () => {
    const { tracking, store, published } = trackingWorld();
    const association = waiting({ suspended: true });
    await store(association);
    await tracking.onGranted(grant(association.id));
    expect((await published()).slice(1)).toMatchObject([
      { type: "tracking.monitoringStarted" },
      { type: "tracking.monitoringSuspended", reason: "plan" },
    ]);
  });

  test.each(["declined", "expired", "withdrawn"] as const)("onConsentEnded() removes it when %s", async (how) => {
    const { tracking, store, published, associationsOf } = trackingWorld();
    const [pending, watched] = [waiting(), { ...granted(), address: CHARLIE.address }];
    await store(pending, watched);
    for (const { id } of [pending, watched])
      await tracking.onConsentEnded({ ...grant(id), type: "invitations.ended", how });
    expect(await associationsOf(ALICE.accountId)).toEqual([]);
    expect(await published()).toMatchObject([{ type: "tracking.monitoringStopped", associationId: watched.id }]);
  });
});
