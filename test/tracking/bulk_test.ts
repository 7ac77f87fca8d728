import { describe, expect, test } from "bun:test";
import { listsOf } from "../../src/shared/contacts.ts";
import type { BulkInput } from "../../src/tracking/inputs.ts";
import { ALICE, accepted, anAssociation, aTrackInput, BOB, CHARLIE } from "../support/builders.ts";
import { trackingWorld } from "../support/tracking.ts";

const SETTINGS = {
  owner: false,
  language: "en" as const,
  contacts: { ...listsOf([]), email: [ALICE.address] },
} satisfies Omit<BulkInput, "addresses">;

describe("previewBulk()", () => {
  test("lists each line that cannot be added, and why", async () => {
    const until = new Map([["no@example.net", new Date()]]);
    const of = async (_: string, addresses: string[]) =>
      new Map([...until].filter(([address]) => addresses.includes(address)));
    const { tracking, store, plan } = trackingWorld({ consentGate: { of } });
    plan.cap = 3;
    await store(anAssociation({ address: BOB.address }));
    const text = [
      BOB.address,
      "x",
      "new@example.net",
      "NEW@example.net",
      "no@example.net",
      "two@example.net",
      "three@example.net",
    ];
    const { lines, addable } = accepted(await tracking.previewBulk(ALICE.accountId, text.join("\n")));
    expect(lines.map(({ problem }) => problem)).toEqual([
      ...["ADDRESS_ALREADY_TRACKED", "EMAIL_INVALID", null, "LINE_DUPLICATE"],
      ...["INVITATION_DECLINED_RECENTLY", null, "USER_INSUFFICIENT"],
    ] as never);
    expect(addable).toBe(2);
  });

  test("counts an alias as tracked, as adding it would be refused", async () => {
    const { tracking } = trackingWorld();
    const { id } = accepted(await tracking.track(ALICE.accountId, aTrackInput({ address: ALICE.address })));
    await tracking.addAliases(ALICE.accountId, id, { addresses: ["shop@alias.example"] });
    const { lines } = accepted(await tracking.previewBulk(ALICE.accountId, "shop@alias.example\nnew@example.net"));
    expect(lines.map(({ problem }) => problem)).toEqual(["ADDRESS_ALREADY_TRACKED", null]);
  });

  test("lists each address of a line that has several, with its line", async () => {
    const { tracking, plan } = trackingWorld();
    plan.cap = null;
    const { lines, addable } = accepted(await tracking.previewBulk(ALICE.accountId, "a@example.org, b@example.org,@"));
    expect(lines).toEqual([
      { line: 1, text: "a@example.org", address: "a@example.org", problem: null },
      { line: 1, text: "b@example.org", address: "b@example.org", problem: null },
      { line: 1, text: "@", address: null, problem: "EMAIL_INVALID" },
    ]);
    expect(addable).toBe(2);
  });

  test("rejects more than a thousand addresses, and adds nothing itself", async () => {
    const { tracking, published, associationsOf } = trackingWorld();
    const lines = (count: number) => Array.from({ length: count }, (_, n) => `b${n}@example.net`).join("\n");
    expect(await tracking.previewBulk(ALICE.accountId, lines(1001))).toMatchObject({ code: "BULK_TOO_LARGE" });
    expect(accepted(await tracking.previewBulk(ALICE.accountId, lines(1000))).lines).toHaveLength(1000);
    expect(await published()).toEqual([]);
    expect(await associationsOf(ALICE.accountId)).toEqual([]);
  });
});

describe("trackAll()", () => {
  test("adds all, and asks each owner for consent", async () => {
    const { tracking, plan, published } = trackingWorld();
    plan.cap = null;
    const addresses = [ALICE.address, BOB.address, CHARLIE.address, BOB.address];
    expect(await tracking.trackAll(ALICE.accountId, { ...SETTINGS, addresses })).toEqual({
      ok: true,
      value: { added: 3 },
    });
    expect((await published()).map(({ type }) => type).toSorted()).toEqual([
      "tracking.consentRequested",
      "tracking.consentRequested",
      "tracking.contactsChanged",
      "tracking.monitoringStarted",
    ]);
  });

  test.each([
    [
      "one is tracked already",
      [CHARLIE.address, BOB.address],
      "ADDRESS_ALREADY_TRACKED",
      { "addresses.1": "ADDRESS_ALREADY_TRACKED" },
    ],
    [
      "they are more than the plan allows",
      ["x@example.net", "y@example.net", "z@example.net"],
      "USER_INSUFFICIENT",
      undefined,
    ],
  ])("adds none when %s", async (_, addresses, code, fields) => {
    const { tracking, store, published, associationsOf } = trackingWorld();
    await store(anAssociation({ address: BOB.address }));
    const refused = await tracking.trackAll(ALICE.accountId, { ...SETTINGS, addresses });
    expect(refused).toEqual({ ok: false, code, ...(fields && { fields }) } as never);
    expect(await associationsOf(ALICE.accountId)).toHaveLength(1);
    expect(await published()).toEqual([]);
  });
});
