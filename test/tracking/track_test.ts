import { describe, expect, test } from "bun:test";
import { FULL_SCOPE, NO_SCOPE } from "../../src/shared/consent.ts";
import { listsOf } from "../../src/shared/contacts.ts";
import { ALICE, accepted, anAssociation, aTrackInput, BOB } from "../support/builders.ts";
import { trackAsOwner, trackingWorld } from "../support/tracking.ts";

describe("track()", () => {
  test("monitors the account's own address immediately and publishes where its alerts go", async () => {
    const { tracking, clock, published, associationsOf } = trackingWorld();
    const contacts = { ...listsOf([]), email: [ALICE.address, "alice@work.example"] };
    const { id } = accepted(await tracking.track(ALICE.accountId, aTrackInput({ language: "de", contacts })));
    const stored = [
      { channel: "email" as const, value: ALICE.address },
      { channel: "email" as const, value: "alice@work.example" },
    ];
    expect(await associationsOf(ALICE.accountId)).toEqual([
      {
        id,
        ...ALICE,
        owner: true,
        language: "de",
        contacts: stored,
        consent: "own",
        scope: FULL_SCOPE,
        scopeVersion: 0,
        preferred: false,
        paused: false,
        suspended: false,
        openAlerts: 0,
        openVersion: 0,
        createdAt: clock.now(),
      },
    ]);
    expect(await published()).toEqual([
      {
        type: "tracking.contactsChanged",
        associationId: id,
        accountId: ALICE.accountId,
        language: "de",
        contacts: stored,
      },
      { type: "tracking.monitoringStarted", associationId: id, ...ALICE, scope: FULL_SCOPE },
    ]);
  });

  test.each([
    [true, "ownership"],
    [false, "invitation"],
  ] as const)("asks the owner of any other address first, also one said to be owned (%p)", async (owner, kind) => {
    const { tracking, published, associationsOf } = trackingWorld();
    const input = aTrackInput({ address: BOB.address, owner, language: "fr" });
    const { id, state } = accepted(await tracking.track(ALICE.accountId, input));
    expect(state).toBe("pending");
    expect(await associationsOf(ALICE.accountId)).toMatchObject([
      { id, address: BOB.address, owner, consent: "pending", scope: NO_SCOPE },
    ]);
    expect(await published()).toEqual([
      {
        type: "tracking.consentRequested",
        associationId: id,
        accountId: ALICE.accountId,
        address: BOB.address,
        kind,
        language: "fr",
      },
    ]);
  });

  test("asks the owner in the language of the invitation, and keeps the language of the account's own alerts", async () => {
    const { tracking, published, associationsOf } = trackingWorld();
    const input = aTrackInput({ address: BOB.address, owner: false, language: "en", invitationLanguage: "it" });
    await tracking.track(ALICE.accountId, input);
    expect(await associationsOf(ALICE.accountId)).toMatchObject([{ address: BOB.address, language: "en" }]);
    expect(await published()).toMatchObject([{ type: "tracking.consentRequested", language: "it" }]);
  });

  test("also asks for the own address while it is not verified", async () => {
    const { tracking } = trackingWorld({ ownAddress: { of: async () => undefined } });
    expect(accepted(await tracking.track(ALICE.accountId, aTrackInput())).state).toBe("pending");
  });

  test("treats an invitation to the own address as the own address", async () => {
    const { tracking, associationsOf } = trackingWorld();
    await tracking.track(ALICE.accountId, aTrackInput({ owner: false }));
    expect(await associationsOf(ALICE.accountId)).toMatchObject([{ owner: true, consent: "own", scope: FULL_SCOPE }]);
  });

  test("does not ask again within 30 days after a decline", async () => {
    const asked: string[][] = [];
    const until = new Map([[BOB.address, new Date("2026-12-20T00:00:00Z")]]);
    const of = async (_: string, addresses: string[]) => {
      asked.push(addresses);
      return new Map([...until].filter(([address]) => addresses.includes(address)));
    };
    const { tracking, published } = trackingWorld({ consentGate: { of } });
    expect(await tracking.track(ALICE.accountId, aTrackInput({ address: BOB.address }))).toEqual({
      ok: false,
      code: "INVITATION_DECLINED_RECENTLY",
      fields: { address: "INVITATION_DECLINED_RECENTLY" },
    });
    expect(await published()).toEqual([]);
    expect(await tracking.track(ALICE.accountId, aTrackInput())).toMatchObject({ ok: true });
    expect(asked).toEqual([[BOB.address], []]);
  });

  test("refuses an address that the account tracks already, and an invalid one", async () => {
    const { tracking, published } = trackingWorld();
    await tracking.track(ALICE.accountId, aTrackInput());
    await published();
    expect(await tracking.track(ALICE.accountId, aTrackInput())).toEqual({
      ok: false,
      code: "ADDRESS_ALREADY_TRACKED",
      fields: { address: "ADDRESS_ALREADY_TRACKED" },
    });
    expect(await published()).toEqual([]);
    expect(await tracking.track(BOB.accountId, aTrackInput())).toMatchObject({ ok: true });
  });

  test("refuses an account without a running plan, or with a full one", async () => {
    const { tracking, plan, store, published, associationsOf } = trackingWorld();
    plan.active = false;
    expect(await tracking.track(ALICE.accountId, aTrackInput())).toEqual({ ok: false, code: "USER_INACTIVE" });
    plan.active = true;
    await store(...["one", "two", "three"].map((name) => anAssociation({ address: `${name}@example.com` })));
    expect(await tracking.track(ALICE.accountId, aTrackInput())).toEqual({ ok: false, code: "USER_INSUFFICIENT" });
    expect(await associationsOf(ALICE.accountId)).toHaveLength(3);
    expect(await published()).toEqual([]);
    plan.cap = 4;
    expect(await tracking.track(ALICE.accountId, aTrackInput())).toMatchObject({ ok: true });
  });

  test("has no cap when the plan has none", async () => {
    const { deps, plan, associationsOf } = trackingWorld();
    plan.cap = null;
    for (let number = 0; number < 40; number++) {
      accepted(await trackAsOwner(deps, ALICE.accountId, `alice+${number}@example.com`));
    }
    expect(await associationsOf(ALICE.accountId)).toHaveLength(40);
  });
});

describe("removeAssociation()", () => {
  test("removes the association, publishes that, and frees its place", async () => {
    const { tracking, plan, published, associationsOf } = trackingWorld();
    plan.cap = 1;
    const { id } = accepted(await tracking.track(ALICE.accountId, aTrackInput()));
    await published();
    expect(await tracking.canAddMore(ALICE.accountId)).toBe(false);
    expect(await tracking.removeAssociation(ALICE.accountId, id)).toEqual({ ok: true, value: undefined });
    expect(await associationsOf(ALICE.accountId)).toEqual([]);
    expect(await published()).toEqual([{ type: "tracking.monitoringStopped", associationId: id, ...ALICE }]);
    expect(await tracking.track(ALICE.accountId, aTrackInput())).toMatchObject({ ok: true });
  });

  test("finds neither another account's association nor a removed one", async () => {
    const { tracking, published, associationsOf } = trackingWorld();
    const { id } = accepted(await tracking.track(ALICE.accountId, aTrackInput()));
    await published();
    for (const unknown of [id, crypto.randomUUID()]) {
      expect(await tracking.removeAssociation(BOB.accountId, unknown)).toEqual({ ok: false, code: "NOT_FOUND" });
    }
    expect(await associationsOf(ALICE.accountId)).toHaveLength(1);
    expect(await published()).toEqual([]);
  });

  test("succeeds once of ten concurrent calls", async () => {
    const { tracking, published } = trackingWorld();
    const { id } = accepted(await tracking.track(ALICE.accountId, aTrackInput()));
    await published();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => tracking.removeAssociation(ALICE.accountId, id)),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await published()).toHaveLength(1);
  });
});
