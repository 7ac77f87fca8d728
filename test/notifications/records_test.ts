import { expect, test } from "bun:test";
import { delivery, later } from "./ledger.ts";
import { email, postOffice } from "./post_office.ts";

test("recordsOf() returns all deliveries of an account with their attempts, in pages, without secrets", async () => {
  const post = postOffice();
  const rows = Array.from({ length: 401 }, (_, ms) => ({
    ...delivery(`mail:${ms}`, { accountId: "alice", createdAt: later(ms), sealed: "sealed", leaseToken: "lease" }),
    recipient: email(`alice+${ms}@example.com`),
  }));
  await post.deps.transaction(async ({ deliveries }) => {
    await deliveries.addMissing([...rows, delivery("mail:bob", { accountId: "bob" })]);
    for (const { id } of rows.slice(0, 1))
      await deliveries.addAttempt({
        id: "try",
        deliveryId: id,
        startedAt: later(0),
        endedAt: undefined,
        outcome: undefined,
        detail: "greylisted",
      });
  });
  const { deliveries, contacts } = await post.recordsOf("alice");
  expect(contacts).toEqual([]);
  expect(deliveries.map(({ recipient }) => recipient.value)).toEqual(rows.map(({ recipient }) => recipient.value));
  expect(deliveries[0]?.tries).toMatchObject([{ detail: "greylisted" }]);
  expect(JSON.stringify(deliveries)).not.toMatch(/sealed|lease"/);
});

test("recordsOf() and countContacts() include contacts, without their confirmation tokens", async () => {
  const post = postOffice();
  const contacts = [email("alice@breachbell.example"), email("carol@else.example")];
  await post.onContactsChanged({
    type: "tracking.contactsChanged",
    associationId: "home",
    accountId: "alice",
    language: "en",
    contacts,
  });
  const records = await post.recordsOf("alice");
  expect(records.contacts.map(({ value, state }) => [value, state])).toEqual([
    ["alice@breachbell.example", "active"],
    ["carol@else.example", "unconfirmed"],
  ]);
  expect(records.contacts.some((contact) => "confirmHash" in contact)).toBe(false);
  expect(await post.countContacts("alice")).toBe(2);
  expect(await post.countContacts("bob")).toBe(0);
});
