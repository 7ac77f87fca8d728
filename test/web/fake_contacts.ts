import { reachOf } from "../../src/notifications/contacts/reach.ts";
import { CHAT_NAMES } from "../../src/shared/chats.ts";
import { contactValue } from "../../src/shared/contacts.ts";
import type { ContactHealth, Delivery, TelegramLink } from "../../web/api/api.ts";
import { ALICE, ago, DAY, HOUR } from "./fake_alerts.ts";

/** The fake server's contacts and deliveries. */
export type ContactScene = {
  contacts: ContactHealth[];
  /** The state of the only link to the bot. */
  telegramLink: TelegramLink;
  /** The outcomes of tests and of an alert's messages. */
  deliveries: Delivery[];
};

export const PUSH_KEY = "BKyBdcSzVzDpHqSZ5oAwWQAGuLCkDPSO_Wu7RORUIsmUELRTqnUW_2OZ0n8vZlwwdzNzMxqZ5wPRCnd9vqLYSUo";
export const BOT_LINK = "https://t.me/breachbell_bot?start=kT3_nZ0c9vQxYb7Lw2Hs5RmA8dEfGj1uPo4iKt6VyXW";

const SETTINGS: ContactHealth["settings"] = {
  device: null,
  devices: [],
  emergency: false,
  hasSecret: false,
  discreet: false,
  digestBelow: null,
  digestHour: null,
  quiet: null,
  zone: null,
};

const OWN_USE = { associationId: "a1", address: ALICE };

export function contact(id: string, more: Partial<ContactHealth>): ContactHealth {
  return {
    id,
    channel: "email",
    value: `${id}@example.org`,
    label: null,
    state: "active",
    own: false,
    language: null,
    asked: true,
    settings: SETTINGS,
    createdAt: ago(30 * DAY),
    lastSentAt: ago(DAY),
    failure: null,
    waiting: 0,
    usedBy: [OWN_USE],
    uses: more.usedBy?.length ?? 1,
    ...more,
  };
}

/** As the server responds: those that need attention first, all on one page. */
function pageOf(contacts: ContactHealth[]) {
  const needs = ({ state }: ContactHealth) => (state === "active" ? 1 : 0);
  const items = contacts.toSorted((one, other) => needs(one) - needs(other));
  return { items, total: items.length, page: 1, pageSize: 50, reach: reachOf(items) };
}

/** The account's own address only. */
export function ownContact(): ContactHealth {
  return contact("c1", { value: ALICE, own: true });
}

/** One of each kind, and of each state. */
export function manyContacts(): ContactHealth[] {
  const never = { lastSentAt: null };
  return [
    ownContact(),
    contact("c2", { value: "bob@example.org", state: "unconfirmed", waiting: 2, ...never }),
    contact("c3", { channel: "telegram", value: "alice_bell", state: "unconfirmed", waiting: 1, ...never }),
    contact("c4", {
      channel: "telegram",
      value: "bob_bell",
      label: "@bob_bell (Bob)",
      state: "broken",
      failure: { at: ago(HOUR), detail: "Telegram 403: Forbidden: bot was blocked by the user" },
    }),
    contact("c5", {
      value: "security-operations@long-company-name-that-needs-room.example",
      state: "broken",
      waiting: 12,
      failure: { at: ago(2 * HOUR), detail: "EENVELOPE RCPT TO 550 5.1.1 No such user here" },
      usedBy: Array.from({ length: 8 }, (_, index) => ({
        associationId: `u${index}`,
        address: `person-${index}@long-company-name-that-needs-room.example`,
      })),
    }),
    contact("c6", { value: "carol@example.net", state: "unsubscribed", usedBy: [] }),
    contact("c7", {
      channel: "pushover",
      value: "uQiRzpo4DXghDmr9QzzfQu27cmVRsG",
      language: "de",
      settings: {
        ...SETTINGS,
        devices: ["phone", "tablet"],
        device: "phone",
        emergency: true,
        discreet: true,
        digestBelow: "high",
        digestHour: 18,
        quiet: { from: "22:30", to: "06:45" },
        zone: "Europe/Zurich",
      },
    }),
    contact("c8", { channel: "ntfy", value: "https://ntfy.example/breaches-of-alice" }),
    contact("c9", { channel: "webhook", value: "https://hooks.example.org/breaches", state: "unconfirmed", ...never }),
    contact("c10", {
      channel: "webhook",
      value: "https://hooks.example.net/in",
      settings: { ...SETTINGS, hasSecret: true },
    }),
  ];
}

/** Devices that get notifications: one that works, and one whose browser has ended its subscription. */
export function manyDevices(): ContactHealth[] {
  const device = { channel: "webpush" as const, settings: { ...SETTINGS, hasSecret: true } };
  return [
    ownContact(),
    contact("p1", { ...device, value: "firefox-linux-3fa94c1e", label: "Firefox · Linux" }),
    contact("p2", {
      ...device,
      value: "alices-phone-90ab12cd",
      label: "Alice’s phone, the old one with the broken display",
      state: "broken",
      failure: { at: ago(HOUR), detail: "The push service answered 410: the subscription has ended" },
    }),
  ];
}

/** One chat of each kind: the first is gone, and the second is no longer connected. */
export function manyChats(): ContactHealth[] {
  const settings = { ...SETTINGS, hasSecret: true, discreet: true };
  const states: Partial<ContactHealth>[] = [
    {
      state: "broken",
      failure: { at: ago(HOUR), detail: "The chat server answered 404: no_service" },
      label: "The security team’s channel, with a name of some length",
    },
    { state: "unconfirmed", settings: { ...SETTINGS }, label: null, lastSentAt: null },
  ];
  return CHAT_NAMES.map((channel, index) =>
    contact(`x${index}`, {
      channel,
      value: `${channel}-example-org-3fa94c1e`,
      label: `Team on ${channel}`,
      settings,
      ...states[index],
    }),
  );
}

export function delivery(id: string, more: Partial<Delivery>): Delivery {
  return {
    id,
    contactId: "c1",
    channel: "email",
    value: ALICE,
    kind: "alert",
    state: "accepted",
    reason: null,
    detail: null,
    at: ago(HOUR),
    nextTryAt: null,
    tries: 1,
    inDoubt: false,
    providerId: null,
    acknowledgedAt: null,
    label: null,
    ...more,
  };
}

/** Every state, with all its possible additions. */
export function manyDeliveries(): Delivery[] {
  return [
    delivery("d1", { providerId: "<5f0c@breachbell.example>", kind: "report" }),
    delivery("d2", { state: "queued", tries: 0, nextTryAt: ago(0), value: "new@example.net" }),
    delivery("d3", { state: "sending", tries: 0, channel: "ntfy", value: "breaches-of-alice" }),
    delivery("d4", {
      state: "retrying",
      reason: "retry",
      tries: 3,
      nextTryAt: ago(-5 * 60_000),
      inDoubt: true,
      channel: "pushover",
      value: "uQiRzpo4DXghDmr9QzzfQu27cmVRsG",
      detail: "Cannot reach Pushover: ETIMEDOUT",
    }),
    delivery("d5", {
      state: "refused",
      reason: "refused",
      value: "gone@a-long-company-name-that-needs-room.example",
      detail: "EENVELOPE RCPT TO 550 5.1.1 No such user here",
    }),
    delivery("d6", { state: "skipped", reason: "unsubscribed", kind: "worse", value: "carol@example.net", tries: 0 }),
    delivery("d7", { state: "waiting", reason: "unconfirmed", channel: "telegram", value: "alice_bell", tries: 0 }),
    delivery("d8", {
      channel: "pushover",
      value: "uQiRzpo4DXghDmr9QzzfQu27cmVRsG",
      acknowledgedAt: ago(HOUR / 2),
    }),
  ];
}

export function contactScene(): ContactScene {
  return {
    contacts: [ownContact()],
    telegramLink: { state: "none", candidate: null, expiresAt: null },
    deliveries: [delivery("d1", { providerId: "<5f0c@breachbell.example>" })],
  };
}

type Call = { call: string; query: URLSearchParams; sent: unknown };
/** A new contact on the contacts page, before any delivery. */
const unused: Partial<ContactHealth> = { state: "unconfirmed", usedBy: [], uses: 0, lastSentAt: null };
type Body = Pick<ContactHealth, "channel" | "value"> & {
  whose: "me" | "somebody";
  contactIds: string[];
  language: ContactHealth["language"];
};

function saved(one: ContactHealth, { language, ...settings }: Body & Partial<ContactHealth["settings"]>) {
  return Object.assign(one, { language, settings: { ...one.settings, ...settings } });
}

function started(stage: ContactScene, { whose }: Body) {
  const expiresAt = ago(whose === "me" ? -15 * 60_000 : -72 * HOUR);
  stage.telegramLink = { state: "waiting", candidate: null, expiresAt };
  return { url: BOT_LINK, expiresAt };
}

/** The test alerts of contacts; their outcomes are among the deliveries, by contact. */
function tests({ deliveries }: ContactScene, ids: string[]): Delivery[] {
  return ids.map((id) => {
    const contactId = id.replace(/^t-/, "");
    const known = deliveries.find((one) => one.kind === "test" && one.contactId === contactId);
    return { ...(known ?? delivery(id, { kind: "test", contactId })), id };
  });
}

/** The response to a call about contacts, with its changes stored in the scene; undefined for any other call. */
export function answerContacts(stage: ContactScene, { call, query, sent }: Call): unknown {
  const body = (sent ?? {}) as Body;
  const [, id = ""] = /^\w+ \/api\/contacts\/(\w+)/.exec(call) ?? [];
  const one = stage.contacts.find((each) => each.id === id);
  if (id !== "" && !one) return undefined;
  const answers: Record<string, () => unknown> = {
    "GET /api/push/key": () => ({ key: PUSH_KEY }),
    "GET /api/contacts": () => pageOf(stage.contacts),
    "POST /api/contacts": () => {
      const value = contactValue(body.channel, body.value) ?? "";
      const known = stage.contacts.find((each) => each.channel === body.channel && each.value === value);
      if (known) return { ...known, added: false };
      const added = contact(`n${stage.contacts.length}`, { ...unused, channel: body.channel, value });
      stage.contacts = [...stage.contacts, added];
      return { ...added, added: true };
    },
    [`PUT /api/contacts/${id}/settings`]: () => one && saved(one, body),
    [`POST /api/contacts/${id}/ask`]: () => ({}),
    [`POST /api/contacts/${id}/repair`]: () => one && Object.assign(one, { state: "active", failure: null }),
    [`POST /api/contacts/${id}/secret`]: () => {
      if (one) one.settings = { ...one.settings, hasSecret: true };
      return { secret: "whsec_3vR8kQ1nT6yZ0xC5bM2pL9dF4gH7jS" };
    },
    [`DELETE /api/contacts/${id}`]: () => {
      stage.contacts = stage.contacts.filter((each) => each.id !== id);
      return {};
    },
    [`GET /api/contacts/${id}/telegram-link`]: () => stage.telegramLink,
    [`POST /api/contacts/${id}/telegram-link`]: () => started(stage, body),
    [`POST /api/contacts/${id}/telegram-link/confirm`]: () => {
      if (one) Object.assign(one, { state: "active", label: "@other_bell (Alice)" });
      stage.telegramLink = { state: "linked", candidate: null, expiresAt: null };
      return stage.telegramLink;
    },
    "POST /api/test-alerts": () => ({ items: body.contactIds.map((each) => ({ id: `t-${each}`, contactId: each })) }),
    "GET /api/test-alerts": () => ({ items: tests(stage, (query.get("ids") ?? "").split(",")) }),
  };
  if (/^GET \/api\/alerts\/\w+\/deliveries$/.test(call)) return { items: stage.deliveries };
  return answers[call]?.();
}
