import { describe, expect, test } from "bun:test";
import { MAX_CONTACTS } from "../../src/shared/contacts.ts";
import { ALICE, accepted, anAssociation, BOB } from "../support/builders.ts";
import { trackingWorld } from "../support/tracking.ts";

const telegram = (value: string) => ({ channel: "telegram" as const, value });
const email = (value: string) => ({ channel: "email" as const, value });
const MAIL = email("alice@example.com");

/** Three addresses of Alice's and one of Bob's that all use the same chat. */
async function world() {
  const tracked = trackingWorld();
  const [first, second, waiting, foreign] = [
    anAssociation({ contacts: [telegram("Alice_M"), MAIL] }),
    anAssociation({ address: BOB.address, consent: "granted", contacts: [MAIL, telegram("alice_m")] }),
    anAssociation({ address: "c@example.com", consent: "pending", contacts: [telegram("@ALICE_M"), MAIL] }),
    anAssociation({ accountId: BOB.accountId, address: "d@example.com", contacts: [telegram("alice_m")] }),
  ];
  await tracked.store(first, second, waiting, foreign);
  return { ...tracked, first, second, waiting, foreign };
}

describe("The routes of an account", () => {
  test("are those of its own addresses with consent", async () => {
    const { tracking, first, second } = await world();
    const routes = await tracking.routesOfAccount(ALICE.accountId);
    expect(routes.map(({ associationId }) => associationId).toSorted()).toEqual([first.id, second.id].toSorted());
    expect(routes.find(({ associationId }) => associationId === second.id)).toMatchObject({
      address: BOB.address,
      contacts: [MAIL, telegram("alice_m")],
    });
  });
});

describe("adoptContact()", () => {
  test("adds it to every address of the account that lacks it, and publishes the monitored ones", async () => {
    const { tracking, published, associationsOf, first, second } = await world();
    await tracking.adoptContact(ALICE.accountId, telegram("carol_bell"));
    for (const { contacts } of await associationsOf(ALICE.accountId))
      expect(contacts.at(-1)).toEqual(telegram("carol_bell"));
    expect(await associationsOf(BOB.accountId)).toMatchObject([{ contacts: [telegram("alice_m")] }]);
    const told = await published();
    expect(told.map((event) => ("associationId" in event ? event.associationId : "")).toSorted()).toEqual(
      [first.id, second.id].toSorted(),
    );
    await tracking.adoptContact(ALICE.accountId, telegram("ALICE_M"));
    await tracking.adoptContact(ALICE.accountId, telegram("carol_bell"));
    expect(await published()).toEqual([]);
  });

  test("skips an address whose list is full", async () => {
    const { tracking, store, associationsOf } = trackingWorld();
    const full = Array.from({ length: MAX_CONTACTS }, (_, index) => telegram(`somebody_${index}`));
    await store(anAssociation({ contacts: full }));
    await tracking.adoptContact(ALICE.accountId, telegram("carol_bell"));
    await tracking.adoptContact(ALICE.accountId, MAIL);
    expect(await associationsOf(ALICE.accountId)).toMatchObject([{ contacts: [...full, MAIL] }]);
  });
});

describe("dropContact()", () => {
  test("removes it from every address of the account, including pending ones, and publishes the monitored ones", async () => {
    const { tracking, published, associationsOf, first, second } = await world();
    accepted(await tracking.dropContact(ALICE.accountId, telegram("alice_m")));
    for (const { contacts } of await associationsOf(ALICE.accountId)) expect(contacts).toEqual([MAIL]);
    expect(await associationsOf(BOB.accountId)).toMatchObject([{ contacts: [telegram("alice_m")] }]);
    const told = await published();
    const ids = told.map((event) => ("associationId" in event ? event.associationId : ""));
    expect(ids.toSorted()).toEqual([first.id, second.id].toSorted());
    expect(told[0]).toMatchObject({ type: "tracking.contactsChanged", contacts: [MAIL] });
  });

  test("is refused entirely if it is an address's only contact, and returns these addresses", async () => {
    const { tracking, published, associationsOf, store } = await world();
    await store(anAssociation({ address: "e@example.com", contacts: [telegram("alice_m")] }));
    const before = await associationsOf(ALICE.accountId);
    expect(await tracking.dropContact(ALICE.accountId, telegram("alice_m"))).toEqual({
      ok: false,
      code: "CONTACT_IS_LAST",
      fields: { "e@example.com": "CONTACT_IS_LAST" },
    });
    expect(await associationsOf(ALICE.accountId)).toEqual(before);
    expect(await published()).toEqual([]);
  });

  test("two concurrent calls never leave an address without a contact", async () => {
    const { tracking, associationsOf, store } = trackingWorld();
    await store(anAssociation({ contacts: [MAIL, telegram("alice_m")] }));
    const outcomes = await Promise.all(
      [MAIL, telegram("alice_m")].map((contact) => tracking.dropContact(ALICE.accountId, contact)),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect((await associationsOf(ALICE.accountId))[0]?.contacts).toHaveLength(1);
  });
});
