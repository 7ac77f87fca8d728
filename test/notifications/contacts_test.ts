import { describe, expect, test } from "bun:test";
import { CONTACTS_PER_ACCOUNT, routesByContact } from "../../src/notifications/contacts/contact.ts";
import type { Contact } from "../../src/notifications/ports.ts";
import type { ContactAddress } from "../../src/shared/contacts.ts";
import { memoryDatabase } from "../memory/database.ts";
import { memoryNotifications, memorySender } from "../memory/notifications/store.ts";
import { DAY, email, HOUR, postOffice } from "./post_office.ts";

const CAROL = "carol@elsewhere.example";
const OWN = "alice@breachbell.example";

/** Alice's home address with these contacts, known to the module. */
async function home(contacts: ContactAddress[] = [email(OWN), email(CAROL)]) {
  const post = postOffice();
  post.watch("home", "alice@home.example", contacts);
  await post.onContactsChanged({
    type: "tracking.contactsChanged",
    associationId: "home",
    accountId: "alice",
    language: "en",
    contacts,
  });
  await post.deliverDue();
  const list = async () => {
    const listed = await post.listContacts("alice");
    if (!listed.ok) throw new Error("no list");
    return listed.value.items;
  };
  const of = async (value: string) => {
    const found = (await list()).find((contact) => contact.value === value);
    if (!found) throw new Error(`no contact ${value}`);
    return found;
  };
  return { ...post, list, of };
}

describe("An account's contacts", () => {
  test("show their state, what they are used for, the last delivery, and the reason for failures", async () => {
    const post = await home();
    expect(await post.of(OWN)).toMatchObject({ state: "active", own: true, lastSentAt: null, failure: null });
    expect(await post.of(CAROL)).toMatchObject({
      state: "unconfirmed",
      own: false,
      usedBy: [{ associationId: "home", address: "alice@home.example" }],
    });
    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a1", "home")] });
    post.sender.answer({ kind: "retry", scope: "contact", reason: "451 try later" });
    await post.deliverDue();
    expect(await post.of(OWN)).toMatchObject({ waiting: 1, failure: { detail: "451 try later" } });
    expect(await post.of(CAROL)).toMatchObject({ waiting: 1 });
    post.advance(HOUR);
    await post.deliverDue();
    expect(await post.of(OWN)).toMatchObject({ waiting: 0, failure: null, lastSentAt: "2026-03-02T09:00:00.000Z" });
    expect(await post.listContacts("mallory")).toMatchObject({ ok: true, value: { items: [], total: 0 } });
  });

  test("that are unconfirmed can be asked again, with a new link, within the weekly limit", async () => {
    const post = await home();
    const carol = await post.of(CAROL);
    const first = post.linkToken(CAROL);
    expect(await post.askContact("mallory", carol.id)).toEqual({ ok: false, code: "NOT_FOUND" });
    expect(await post.askContact("alice", carol.id)).toMatchObject({ ok: true });
    post.advance(1);
    expect(await post.askContact("alice", carol.id)).toMatchObject({ ok: true });
    expect(await post.askContact("alice", carol.id)).toEqual({ ok: false, code: "CONTACT_ASKED_RECENTLY" });
    await post.deliverDue();
    // The second mail was still pending when the third was created, which would have voided its link.
    expect(post.sentTo()).toEqual([CAROL, CAROL]);
    expect(await post.confirm(first)).toEqual({ ok: false, code: "LINK_INVALID" });
    expect(await post.confirm(post.linkToken(CAROL))).toMatchObject({ ok: true });
    expect(await post.askContact("alice", carol.id)).toEqual({ ok: false, code: "CONTACT_SETTLED" });
  });

  test("that were rejected are retried when the account says that they work again", async () => {
    const post = await home([email(OWN)]);
    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a1", "home")] });
    post.sender.answer({ kind: "dead", cause: "recipient", reason: "550 no such user", forGood: true });
    await post.deliverDue();
    const own = await post.of(OWN);
    expect(own).toMatchObject({ state: "broken", failure: { detail: "550 no such user" } });
    expect(await post.repairContact("mallory", own.id)).toEqual({ ok: false, code: "NOT_FOUND" });
    expect(await post.repairContact("alice", own.id)).toMatchObject({ ok: true, value: { state: "active" } });
    expect(await post.repairContact("alice", own.id)).toEqual({ ok: false, code: "CONTACT_SETTLED" });
    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a2", "home")] });
    await post.deliverDue();
    expect(post.sentTo()).toEqual([OWN]);
  });

  test("that were unsubscribed can be resumed by the account only at its own address", async () => {
    const post = await home([email(OWN), email(CAROL)]);
    await post.deps.transaction(async ({ contacts }) => {
      for (const contact of await contacts.list("alice"))
        await contacts.replace({ ...contact, state: "unsubscribed", confirmedAt: contact.createdAt });
    });
    const list = async () => {
      const listed = await post.listContacts("alice");
      return listed.ok ? listed.value.reach : undefined;
    };
    expect(await list()).toMatchObject({ deadCount: 1, ownStopped: true });
    expect(await post.repairContact("alice", (await post.of(CAROL)).id)).toEqual({
      ok: false,
      code: "CONTACT_SETTLED",
    });
    const own = await post.repairContact("alice", (await post.of(OWN)).id);
    expect(own).toMatchObject({ ok: true, value: { state: "active" } });
    expect(await list()).toMatchObject({ deadCount: 0, ownStopped: false });
  });

  test("that are removed are deleted, and what was pending for them goes to the remaining ones", async () => {
    const post = await home([email(CAROL), email(OWN)]);
    const [carol, own] = [await post.of(CAROL), await post.of(OWN)];
    expect(await post.removeContact("alice", own.id)).toMatchObject({ ok: true });
    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a1", "home")] });
    expect(await post.removeContact("mallory", carol.id)).toEqual({ ok: false, code: "NOT_FOUND" });
    expect(await post.removeContact("alice", carol.id)).toEqual({ ok: false, code: "CONTACT_IS_LAST" });
    post.watch("home", "alice@home.example", [email(CAROL), email("dave@home.example")]);
    expect(await post.removeContact("alice", carol.id)).toMatchObject({ ok: true });
    await post.deliverDue();
    expect((await post.list()).map(({ value }) => value)).not.toContain(CAROL);
    const states = (await post.deliveriesOf("alert:a1")).map(({ recipient, state }) => [recipient.value, state]);
    expect(states).toContainEqual([OWN, "sent"]);
    expect(states).not.toContainEqual([CAROL, "sent"]);
  });

  test("that are removed affect nothing else, even if a message to them is in progress", async () => {
    const post = await home([email(CAROL), email(OWN)]);
    const carol = await post.of(CAROL);
    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a1", "home")] });
    expect(await post.sendTests("alice", [carol.id])).toMatchObject({ ok: true });
    expect(await post.removeContact("alice", carol.id)).toMatchObject({ ok: true });
    await post.deliverDue();
    expect((await post.list()).map(({ value }) => value)).toEqual([OWN]);
    const states = (await post.deliveriesOf("alert:a1")).map(({ recipient, state }) => [recipient.value, state]);
    expect(states).toContainEqual([OWN, "sent"]);
  });

  test("that are webhooks show a new secret once, and never again", async () => {
    const hook = memorySender("webhook");
    const post = postOffice();
    post.deps.senders.webhook = hook;
    const contacts = [{ channel: "webhook" as const, value: "https://hooks.example/breaches" }];
    post.watch("home", "alice@home.example", contacts);
    await post.onContactsChanged({
      type: "tracking.contactsChanged",
      associationId: "home",
      accountId: "alice",
      language: "en",
      contacts,
    });
    const listed = await post.listContacts("alice");
    const [contact] = listed.ok ? listed.value.items : [];
    // There is no secret yet, so nothing is signed or sent.
    expect(contact?.settings.hasSecret).toBe(false);
    const renewed = await post.renewSecret("alice", contact?.id ?? "");
    if (!renewed.ok) throw new Error(renewed.code);
    expect(renewed.value.secret).toMatch(/^whsec_/);
    expect(JSON.stringify([await post.listContacts("alice"), await post.everything()])).not.toContain(
      renewed.value.secret.slice(6),
    );
    await post.deliverDue();
    expect(hook.sent[0]?.to.secret).toBe(renewed.value.secret);
    expect(await post.renewSecret("mallory", contact?.id ?? "")).toEqual({ ok: false, code: "NOT_FOUND" });
  });
});

describe("The messages of an alert", () => {
  test("are shown per contact: accepted, retrying with its time, rejected, skipped, pending", async () => {
    const post = await home([email(OWN), email(CAROL)]);
    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a1", "home")] });
    const rows = async () => {
      const listed = await post.listAlertDeliveries("alice", "a1");
      const items = listed.ok ? listed.value.items : [];
      return items.toSorted((one, other) => one.value.localeCompare(other.value));
    };
    expect((await rows()).map(({ value, state, reason }) => [value, state, reason])).toEqual([
      [OWN, "queued", null],
      [CAROL, "waiting", "unconfirmed"],
    ]);
    post.sender.answer({ kind: "retry", scope: "contact", reason: "451 try later" });
    await post.deliverDue();
    const [retrying] = await rows();
    expect(retrying).toMatchObject({ state: "retrying", detail: "451 try later", tries: 1, inDoubt: false });
    expect(retrying?.nextTryAt).toBe("2026-03-02T08:00:30.000Z");
    post.advance(DAY);
    await post.deliverDue();
    expect((await rows())[0]).toMatchObject({ state: "accepted", reason: null, detail: null, tries: 2 });
    expect((await rows())[0]?.providerId).toBeString();
    expect(await post.listAlertDeliveries("mallory", "a1")).toEqual({ ok: true, value: { items: [] } });
  });
});

describe("Many contacts of one account", () => {
  const names = Array.from({ length: 120 }, (_, index) => `person${String(index).padStart(3, "0")}@elsewhere.example`);

  async function crowd() {
    const post = postOffice();
    names.forEach((name, index) => {
      post.watch(`a${index}`, `address${index}@home.example`, [email(name)]);
    });
    for (const [index, name] of names.entries())
      await post.onContactsChanged({
        type: "tracking.contactsChanged",
        associationId: `a${index}`,
        accountId: "alice",
        language: "en",
        contacts: [email(name)],
      });
    const page = async (query?: { page?: number; value?: string }) => {
      const listed = await post.listContacts("alice", query);
      if (!listed.ok) throw new Error("no list");
      return listed.value;
    };
    return { ...post, page };
  }

  test("are listed in pages, those that need attention first; the total names the addresses without any contact", async () => {
    const post = await crowd();
    await post.deliverDue();
    const [first] = names;
    await post.confirm(post.linkToken(first ?? ""));
    const pages = [await post.page(), await post.page({ page: 2 }), await post.page({ page: 3 })];
    expect(pages.map(({ items }) => items.length)).toEqual([50, 50, 20]);
    expect(new Set(pages.flatMap(({ items }) => items.map(({ id }) => id))).size).toBe(120);
    expect(pages[2]?.items.at(-1)).toMatchObject({ value: first, state: "active" });
    for (const { total, pageSize, reach } of pages) {
      expect({ total, pageSize }).toEqual({ total: 120, pageSize: 50 });
      expect(reach).toMatchObject({ deadCount: 0, unansweredCount: 119, troubled: 119 });
      expect(reach.unanswered).toHaveLength(5);
    }
    expect((await post.page({ value: " Person007@elsewhere.example" })).items.map(({ value }) => value)).toEqual([
      "person007@elsewhere.example",
    ]);
    expect((await post.page({ page: 9 })).items).toEqual([]);
  });

  test("name only the first of the addresses that use them, and their number", async () => {
    const post = postOffice();
    for (let index = 0; index < 60; index += 1) post.watch(`a${index}`, `address${index}@home.example`, [email(OWN)]);
    await post.onContactsChanged({
      type: "tracking.contactsChanged",
      associationId: "a0",
      accountId: "alice",
      language: "en",
      contacts: [email(OWN)],
    });
    const listed = await post.listContacts("alice");
    if (!listed.ok) throw new Error("no list");
    expect(listed.value.items[0]).toMatchObject({ uses: 60 });
    expect(listed.value.items[0]?.usedBy).toHaveLength(20);
  });

  test("are matched in time linear in their number", () => {
    // Counts how often the contact of a route is accessed.
    const looksFor = (size: number) => {
      let looks = 0;
      const routes = Array.from({ length: size }, (_, index) => ({
        associationId: `a${index}`,
        accountId: "alice",
        own: true,
        address: `x${index}@home.example`,
        language: "en" as const,
        contacts: [
          {
            channel: "email" as const,
            get value() {
              looks += 1;
              return `person${index}@elsewhere.example`;
            },
          },
        ],
      }));
      const routesTo = routesByContact(routes);
      for (let index = 0; index < size; index += 1)
        expect(routesTo(email(`person${index}@elsewhere.example`))).toHaveLength(1);
      return looks;
    };
    expect(looksFor(800)).toBe(8 * looksFor(100));
  });

  test("have a limit, which is checked in advance", async () => {
    const post = postOffice();
    const wanted = Array.from({ length: CONTACTS_PER_ACCOUNT + 1 }, (_, index) => email(`p${index}@elsewhere.example`));
    expect(await post.hasRoomFor("alice", wanted.slice(1))).toBe(true);
    expect(await post.hasRoomFor("alice", wanted)).toBe(false);
  });

  test("are refused by the same limit when others were added at the same time", async () => {
    const limits: (number | undefined)[] = [];
    const transaction = memoryDatabase().transactionOf((tables) => {
      const store = memoryNotifications(tables);
      const add = async (_: Contact, most?: number) => limits.push(most) === 0;
      return { ...store, contacts: { ...store.contacts, add } };
    });
    const post = postOffice({ transaction });
    const carol = { channel: "email", value: CAROL, language: "en", everywhere: false } as const;
    expect(await post.addContact("alice", carol)).toEqual({ ok: false, code: "CONTACT_LIMIT_REACHED" });
    expect(limits).toEqual([CONTACTS_PER_ACCOUNT]);
  });
});
