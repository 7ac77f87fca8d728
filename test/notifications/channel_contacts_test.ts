import { afterEach, describe, expect, test } from "bun:test";
import type { ContactCheck, ContactSettings, MessageSender } from "../../src/notifications/ports.ts";
import type { ContactAddress } from "../../src/shared/contacts.ts";
import { memorySender } from "../memory/notifications/store.ts";
import { PROVIDER_OPENERS } from "../support/channel_providers.ts";
import { startPushoverPeer, USER_KEY } from "../support/pushover_peer.ts";
import { DAY, HOUR, keys, postOffice } from "./post_office.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const key = (index: number): ContactAddress => ({ channel: "pushover", value: String(index).padStart(30, "k") });
const hook: ContactAddress = { channel: "webhook", value: "https://hooks.example/in" };
const changed = (contacts: ContactAddress[]) =>
  ({ type: "tracking.contactsChanged", associationId: "home", accountId: "alice", language: "en", contacts }) as const;

/** A module that sends on every channel, with a provider that returns `finds` for contacts. */
function openAppContext(finds: (value: string) => ContactCheck | Promise<ContactCheck> = () => valid) {
  const asked: string[] = [];
  const pushover = {
    ...memorySender("pushover"),
    check: async (value: string) => {
      asked.push(value);
      return finds(value);
    },
  };
  const webhook = memorySender("webhook");
  const office = postOffice({ senders: { email: memorySender(), pushover, webhook } });
  const contactsOf = () => office.deps.transaction(({ contacts }) => contacts.list("alice"));
  async function settle(settings: ContactSettings): Promise<void> {
    for (const contact of await contactsOf())
      await office.deps.transaction(({ contacts }) =>
        contacts.replace({ ...contact, state: "active", settings: { ...contact.settings, ...settings } }),
      );
  }
  return { ...office, asked, pushover, webhook, contactsOf, settle };
}
const valid: ContactCheck = { kind: "valid", devices: ["phone", "desktop"] };

describe("a new contact", () => {
  test("is asked for confirmation on its own channel, and gets alerts once it has confirmed", async () => {
    const office = openAppContext();
    office.watch("home", "alice@home.example", [key(1)]);
    await office.onContactsChanged(changed([key(1)]));
    await office.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [office.found("a1", "home")] });
    await office.deliverDue();
    expect(office.pushover.sent.map(({ kind }) => kind)).toEqual(["confirmation"]);
    const button = office.pushover.sent[0]?.content.blocks.find((block) => block.kind === "button");
    expect(await office.confirm(button?.url.split("#t=")[1] ?? "")).toEqual({ ok: true, value: { state: "active" } });
    await office.deliverDue();
    expect(office.pushover.sent.map(({ kind }) => kind)).toEqual(["confirmation", "alert"]);
  });

  test("is stored with the devices that its provider returns", async () => {
    const office = openAppContext();
    await office.onContactsChanged(changed([key(1)]));
    const [contact] = await office.contactsOf();
    expect(contact).toMatchObject({ state: "unconfirmed", settings: { devices: ["phone", "desktop"] } });
  });

  test("is marked as failed immediately when its provider does not know it, and nothing is sent", async () => {
    const office = openAppContext(() => ({ kind: "invalid" }));
    await office.onContactsChanged(changed([key(1)]));
    await office.deliverDue();
    expect(await office.statesOf("alice")).toEqual([{ ...key(1), state: "broken" }]);
    expect(office.pushover.sent).toEqual([]);
  });

  test.each([
    ["cannot be reached", () => ({ kind: "unknown", reason: "no answer in time" }) as const],
    ["fails", () => Promise.reject(new Error("the sender failed"))],
  ])("is asked for confirmation even if its provider %s", async (_, finds) => {
    const office = openAppContext(finds);
    await office.onContactsChanged(changed([key(1)]));
    await office.deliverDue();
    expect(office.pushover.sent.map(({ to }) => to.value)).toEqual([key(1).value]);
  });

  test("is looked up once, and at most twenty times an hour per account", async () => {
    const office = openAppContext();
    for (let time = 0; time < 3; time++) await office.onContactsChanged(changed([key(1), key(2)]));
    expect(office.asked).toEqual([key(1).value, key(2).value]);
    await office.onContactsChanged(changed(Array.from({ length: 40 }, (_, index) => key(index))));
    expect(office.asked).toHaveLength(20);
    office.advance(HOUR + 1);
    await office.onContactsChanged(changed([key(50)]));
    expect(office.asked.at(-1)).toBe(key(50).value);
  });

  test("is looked up directly at the provider", async () => {
    const peer = await startPushoverPeer();
    await peer.stop();
    const now = () => new Date();
    const { sender } = await PROVIDER_OPENERS.pushover({ now, cleanUps });
    const senders: Record<string, MessageSender> = { pushover: sender };
    const office = postOffice({ senders });
    const wrong = { channel: "pushover", value: "x".repeat(30) } as const;
    await office.onContactsChanged(changed([{ channel: "pushover", value: USER_KEY }, wrong]));
    expect((await office.statesOf("alice")).map(({ state }) => state)).toEqual(["unconfirmed", "broken"]);
  });
});

describe("a contact's settings", () => {
  async function alerted(settings: ContactSettings, contact: ContactAddress = key(1)) {
    const office = openAppContext();
    office.watch("home", "alice@home.example", [contact]);
    await office.onContactsChanged(changed([contact]));
    await office.settle(settings);
    await office.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [office.found("a1", "home")] });
    await office.deliverDue();
    const [message] = [...office.pushover.sent, ...office.webhook.sent].filter(({ kind }) => kind === "alert");
    if (!message) throw new Error("Expected an alert");
    return { office, message };
  }

  test("are sent with each message, where they are set", async () => {
    const { message } = await alerted({ device: "phone", emergency: true });
    expect(message.to).toEqual({ ...key(1), device: "phone" });
    expect(message.emergency).toBe(true);
    const { message: plain } = await alerted({});
    expect(plain.to).toEqual(key(1));
    expect(plain).not.toHaveProperty("emergency");
  });

  test("of a webhook contain a secret once it was shown, sealed in the database and omitted from exports", async () => {
    const office = openAppContext();
    office.watch("home", "alice@home.example", [hook]);
    await office.onContactsChanged(changed([hook]));
    await office.deliverDue();
    expect(office.webhook.sent).toEqual([]);
    const [contact] = await office.contactsOf();
    const shown = await office.renewSecret("alice", contact?.id ?? "");
    const secret = shown.ok ? shown.value.secret : "";
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await office.renewSecret("bob", contact?.id ?? "")).toEqual({ ok: false, code: "NOT_FOUND" });

    await office.deliverDue();
    expect(office.webhook.sent.map(({ kind, to }) => [kind, to.secret])).toEqual([["confirmation", secret]]);
    const sealed = (await office.contactsOf())[0]?.settings.secret ?? "";
    expect(keys.cipher.decrypt(sealed)).toBe(secret);
    expect(JSON.stringify(await office.everything())).not.toContain(secret);
    const exported = await office.recordsOf("alice");
    expect(exported.contacts).toMatchObject([{ value: hook.value, settings: {} }]);
    expect(JSON.stringify(exported)).not.toContain(sealed);
  });

  test("of a webhook change with each new secret, and only one confirmation is pending", async () => {
    const office = openAppContext();
    await office.onContactsChanged(changed([hook]));
    const [contact] = await office.contactsOf();
    const shown = [];
    for (let time = 0; time < 2; time++) {
      const renewed = await office.renewSecret("alice", contact?.id ?? "");
      shown.push(renewed.ok ? renewed.value.secret : "");
      office.advance(1000);
    }
    await office.deliverDue();
    expect(shown[0]).not.toBe(shown[1] ?? "");
    expect(office.webhook.sent.map(({ to }) => to.secret)).toEqual([shown[1]]);
  });

  test("provide a message with its facts, time and expiry", async () => {
    const { office, message } = await alerted({});
    expect(message.facts).toMatchObject([{ alertId: "a1", address: "alice@home.example" }]);
    expect(message.raisedAt).toEqual(office.deps.now());
    const [question] = office.pushover.sent.filter(({ kind }) => kind === "confirmation");
    expect(question?.notAfter).toEqual(new Date(office.deps.now().getTime() + 7 * DAY));
  });
});
