import { intlTranslate } from "../../src/notifications/adapters/translate.ts";
import { createNotifications, type NotificationDeps } from "../../src/notifications/mod.ts";
import type { Account, Delivery } from "../../src/notifications/ports.ts";
import { hashToken, keysOf, newToken } from "../../src/runtime/crypto.ts";
import type { AlertFacts, BreachFacts } from "../../src/shared/breach.ts";
import type { BreachChange } from "../../src/shared/breach_change.ts";
import type { AlertRoute, ContactAddress } from "../../src/shared/contacts.ts";
import { memoryDatabase } from "../memory/database.ts";
import { memoryNotifications, memorySender } from "../memory/notifications/store.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const translate = intlTranslate();
export const keys = keysOf("a secret for tests only");

export const email = (value: string): ContactAddress => ({ channel: "email", value });

export const adobe: BreachFacts = {
  name: "Adobe",
  title: "Adobe",
  domain: "adobe.com",
  breachDate: "2013-10-04",
  addedDate: "2013-12-04T00:00:00Z",
  dataClasses: ["Email addresses", "Password hints", "Passwords", "Usernames"],
  flags: [],
  pwnCount: 152_445_165,
  passwordStorage: "weak",
  manyServices: false,
  logo: null,
};

/**
 * The module on in-memory adapters with a manual clock. Alice has an account; the data of other modules is in `routes`,
 * `facts` and `accounts`, which tests change as needed.
 */
export function postOffice(overrides: Partial<NotificationDeps> = {}) {
  const database = memoryDatabase();
  const transaction = database.transactionOf(memoryNotifications);
  const sender = memorySender();
  const accounts = new Map<string, Account>([
    ["alice", { email: "alice@breachbell.example", language: "en", firstName: "Alice", verified: true }],
  ]);
  const routes = new Map<string, AlertRoute>();
  const facts = new Map<string, AlertFacts>();
  const changes = new Map<string, BreachChange>();
  /** Tokens of requests that were answered or cancelled. */
  const settled = new Set<string>();
  const reports: unknown[] = [];
  /** What was told to the operator. */
  const notes: Record<string, unknown>[] = [];
  let time = new Date("2026-03-02T08:00:00.000Z").getTime();

  const deps: NotificationDeps = {
    ...keys,
    transaction,
    senders: { email: sender },
    isUnderMaintenance: () => false,
    hasUnfinishedEvents: async () => false,
    alertRoutes: { of: async (ids) => ids.flatMap((id) => routes.get(id) ?? []) },
    alertFacts: { of: async (ids) => ids.flatMap((id) => facts.get(id) ?? []) },
    breachChanges: { of: async (id) => changes.get(id) },
    alertHandling: { handle: async () => ({ ok: false, code: "NOT_FOUND" }) },
    contactRemoval: {
      async from(accountId, { channel, value }) {
        const named = [...routes].filter(([, route]) => route.accountId === accountId);
        const left = named.map(([id, route]) => {
          const contacts = route.contacts.filter((each) => each.channel !== channel || each.value !== value);
          return [id, { ...route, contacts }] as const;
        });
        if (left.some(([, route]) => route.contacts.length === 0)) return { ok: false, code: "CONTACT_IS_LAST" };
        for (const [id, route] of left) routes.set(id, route);
        return { ok: true, value: {} };
      },
    },
    contactAdoption: {
      async by(accountId, contact) {
        for (const [id, route] of routes)
          if (route.accountId === accountId) routes.set(id, { ...route, contacts: [...route.contacts, contact] });
      },
    },
    contactUses: { of: async (accountId) => [...routes.values()].filter((route) => route.accountId === accountId) },
    summaryFacts: {
      of: async () => ({ watched: 0, addresses: [], found: 0, handled: 0, pending: 0, lateSince: undefined }),
    },
    accounts: {
      of: async (id) => accounts.get(id),
      listOf: async (ids) =>
        ids.flatMap((id) => {
          const account = accounts.get(id);
          return account ? { id, ...account } : [];
        }),
    },
    openQuestions: { has: async (token) => !settled.has(token) },
    translate,
    publicUrl: "https://breachbell.example",
    supportEmail: "support@breachbell.example",
    sources: ["hibp"],
    now: () => new Date(time),
    newId: () => crypto.randomUUID(),
    newToken,
    hashToken,
    random: () => 1,
    report: (error) => void reports.push(error),
    note: (says, context) => void notes.push({ says, ...context }),
    ...overrides,
  };

  const notifications = createNotifications(deps);
  return {
    ...notifications,
    deps,
    sender,
    accounts,
    routes,
    facts,
    changes,
    settled,
    reports,
    notes,
    advance(ms: number): void {
      time += ms;
    },

    /** Another process on the same database. */
    anotherWorker: (changes: Partial<NotificationDeps> = {}) => createNotifications({ ...deps, ...changes }),

    /** Alice tracks `address` with alerts sent to `contacts`. */
    watch(associationId: string, address: string, contacts: ContactAddress[], accountId = "alice"): void {
      routes.set(associationId, { associationId, accountId, address, own: true, language: "en", contacts });
    },

    /** Raises an alert whose facts are available; returns the entry of its event. */
    found(alertId: string, associationId: string, breach: BreachFacts | null = adobe) {
      const route = routes.get(associationId);
      const accountId = route?.accountId ?? "alice";
      facts.set(alertId, {
        alertId,
        associationId,
        accountId,
        address: route?.address ?? "",
        state: "pending",
        version: 1,
        raisedAt: new Date(time).toISOString(),
        breach,
        sources: breach ? ["hibp"] : [],
        foundUnder: [],
      });
      return { alertId, associationId, accountId };
    },

    /** Sequentially, so that each is a separate message. */
    async raiseEach(alerts: { alertId: string; associationId: string; accountId: string }[]): Promise<void> {
      for (const alert of alerts)
        await notifications.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [alert] });
    },

    deliveriesOf: (subject: string): Promise<Delivery[]> =>
      transaction(({ deliveries }) => deliveries.listBySubject(subject)),
    async deliveryOf(subject: string): Promise<Delivery> {
      const [delivery, ...more] = await transaction(({ deliveries }) => deliveries.listBySubject(subject));
      if (!delivery || more.length > 0) throw new Error(`Expected one delivery of "${subject}"`);
      return delivery;
    },
    /** The whole delivery log, as stored. */
    ledger: () =>
      database.transactionOf((tables) => tables<Delivery>("notifications.delivery"))(async (rows) => rows.filter()),
    /** Everything stored except the keyed marks of confirmations. */
    everything: () =>
      database.transactionOf((tables) =>
        ["contact", "delivery", "attempt"].map((name) => tables<{ id: string }>(`notifications.${name}`)),
      )(async (tables) => tables.flatMap((rows) => rows.filter())),
    statesOf: async (accountId: string) =>
      (await transaction(({ contacts }) => contacts.list(accountId))).map(({ channel, value, state }) => {
        return { channel, value, state };
      }),
    attemptsOf: (id: string) => transaction(({ deliveries }) => deliveries.listAttempts(id)),
    sentTo: () => sender.sent.map(({ to }) => to.value),

    /** The token of the link in the last mail to `value`. */
    linkToken(value: string): string {
      const message = sender.sent.findLast(({ to }) => to.value === value);
      const urls = message
        ? [...message.content.links, ...message.content.blocks.filter((block) => block.kind === "button")].map(
            ({ url }) => url,
          )
        : [];
      return urls.find((url) => url.includes("manage-contact#t="))?.split("#t=")[1] ?? "";
    },
  };
}

export function codeMail(code: string, more: { to?: string; notAfter?: string; accountId?: string } = {}) {
  return {
    type: "mail.requested",
    to: "alice@breachbell.example",
    language: "en",
    template: "login_code",
    params: { firstName: "Alice", minutes: "10" },
    sealed: keys.cipher.encrypt(JSON.stringify({ code })),
    accountId: "alice",
    ...more,
  } as const;
}
