import type { EventOf } from "../events/catalogue.ts";
import type { AlertRoute } from "../shared/contacts.ts";
import { contactEnsurer, hostOf, ownAddress } from "./address_book.ts";
import { canonical, DAY_MS, sameAddress } from "./contact.ts";
import { cancelled, held, laneOf, newDelivery, objection } from "./delivery.ts";
import type { About, Account, Contact, Delivery, NotificationDeps, NotificationStore, Told } from "./ports.ts";

/** How long a mail that belongs to no account waits at most: its row would outlive everything else about its reader. */
const UNOWNED_VALID_MS = 3 * DAY_MS;
/** About as long as sending one message takes: the share of the queue that one account gets. */
const TURN_MS = 100;

/** What is to be told to the contacts of one association. */
type Telling = { subject: string; about: About };

/** Puts messages to an account's contacts into the ledger. Whatever is repeated finds its rows there already. */
export function contactQueue(deps: NotificationDeps) {
  const { newId, now } = deps;
  const { ensureContacts } = contactEnsurer(deps);
  const host = hostOf(deps.publicUrl);

  function deliveryTo(
    contact: Contact,
    { subject, about }: Telling,
    { language }: AlertRoute,
    { lastResort, turn }: { lastResort: boolean; turn: Date },
  ): Delivery {
    const { id: contactId, accountId } = contact;
    const parts = { subject, about, recipient: contact, contactId, accountId, language, now: now(), turn };
    const delivery = newDelivery({ id: newId(), host, ...parts });
    const refusal = objection(delivery, contact, lastResort);
    if (!refusal) return delivery;
    return "held" in refusal ? held(delivery, refusal.held) : cancelled(delivery, refusal.cancelled, now());
  }

  /** Active, or asked and still able to agree. */
  const isUsable = ({ state, confirmExpiresAt }: Contact) =>
    state === "active" || (state === "unconfirmed" && confirmExpiresAt !== undefined && confirmExpiresAt > now());

  /** To the account's own address, for want of any other. */
  async function queueLastResort(
    store: NotificationStore,
    { route, account }: Told,
    tellings: Telling[],
  ): Promise<void> {
    const own = ownAddress(account);
    if (!own) return;
    const contacts = await ensureContacts(store, { ...route, account, addresses: [own] });
    const deliveries = contacts.flatMap((contact) =>
      tellings.map((telling) => deliveryTo(contact, telling, route, { lastResort: true, turn: now() })),
    );
    await store.deliveries.addMissing(deliveries);
  }

  /** Each of an account's messages a little behind its last one that waits: many do not hold up another account's one. */
  async function turnsOf({ deliveries }: NotificationStore, accountId: string, tellings: Telling[]): Promise<Date[]> {
    const [first] = tellings;
    const last = first && (await deliveries.lastTurn(accountId, laneOf(first.about)));
    const start = Math.max(now().getTime(), last ? last.getTime() + TURN_MS : 0);
    return tellings.map((_, index) => new Date(start + index * TURN_MS));
  }

  return {
    queueLastResort,

    /** One message each to each contact of the route, and to the account itself when none of them can be told. */
    async queueToContacts(store: NotificationStore, { route, account }: Told, tellings: Telling[]): Promise<void> {
      const known = await store.deliveries.listKnownSubjects(tellings.map(({ subject }) => subject));
      const fresh = tellings.filter(({ subject }) => !known.includes(subject));
      if (fresh.length === 0) return;
      const contacts = await ensureContacts(store, { ...route, account, addresses: route.contacts });
      const own = ownAddress(account);
      const reachable = contacts.some(isUsable);
      // With nobody else left, the account's own address gets its turn below, broken or not.
      const others = reachable ? contacts : contacts.filter((contact) => !own || !sameAddress(contact, own));
      const turns = await turnsOf(store, route.accountId, fresh);
      const deliveries = others.flatMap((contact) =>
        fresh.map((telling, index) =>
          deliveryTo(contact, telling, route, { lastResort: false, turn: turns[index] ?? now() }),
        ),
      );
      await store.deliveries.addMissing(deliveries);
      if (!reachable) await queueLastResort(store, { route, account }, fresh);
    },
  };
}

export function queue(deps: NotificationDeps) {
  const { transaction, alertRoutes, accounts, hashToken, newId, now, report } = deps;
  const { queueToContacts } = contactQueue(deps);

  /** Where the alerts of these associations go; those that are gone, or whose account is, are left out. */
  async function toldOf(associationIds: string[]): Promise<Told[]> {
    const routes = await alertRoutes.of([...new Set(associationIds)]);
    const known = new Map<string, Account>();
    for (const accountId of new Set(routes.map((route) => route.accountId))) {
      const account = await accounts.of(accountId);
      if (account) known.set(accountId, account);
    }
    return routes.flatMap((route) => {
      const account = known.get(route.accountId);
      return account ? [{ route, account }] : [];
    });
  }

  return {
    /** One message per alert and contact. */
    async onAlertsRaised({ alerts }: EventOf<"breaches.alertsRaised">): Promise<void> {
      const idsOf = Map.groupBy(alerts, ({ associationId }) => associationId);
      for (const told of await toldOf([...idsOf.keys()])) {
        const { associationId } = told.route;
        const tellings = (idsOf.get(associationId) ?? []).map(
          ({ alertId }): Telling => ({ subject: `alert:${alertId}`, about: { kind: "alert", associationId, alertId } }),
        );
        // Each association by itself: short transactions, and a repeated event adds only what is missing.
        await transaction((store) => queueToContacts(store, told, tellings));
      }
    },

    /** One message per alert, change and contact. */
    async onAlertsWorsened({ alerts, changeId }: EventOf<"breaches.alertsWorsened">): Promise<void> {
      const idsOf = Map.groupBy(alerts, ({ associationId }) => associationId);
      for (const told of await toldOf([...idsOf.keys()])) {
        const { associationId } = told.route;
        const tellings = (idsOf.get(associationId) ?? []).map(
          ({ alertId }): Telling => ({
            subject: `alert:${alertId}:${changeId}`,
            about: { kind: "worse", associationId, alertId, changeId },
          }),
        );
        await transaction((store) => queueToContacts(store, told, tellings));
      }
    },

    /** Nothing of a drill stays. */
    onDrillEnded({ accountId, alertId }: EventOf<"breaches.drillEnded">): Promise<void> {
      return transaction(({ deliveries }) => deliveries.removeByAlert(accountId, alertId));
    },

    /** One report of the first check per contact, also when it found nothing. */
    async onBaselineReady({ associationId, alertIds }: EventOf<"breaches.baselineReady">): Promise<void> {
      const about: About = { kind: "report", associationId, alertIds };
      for (const told of await toldOf([associationId]))
        await transaction((store) => queueToContacts(store, told, [{ subject: `report:${associationId}`, about }]));
    },

    /** A mail of another module, such as a sign-in code. */
    async onMailRequested(event: EventOf<"mail.requested">): Promise<void> {
      const recipient = canonical({ channel: "email", value: event.to });
      if (!recipient)
        return report(new Error("Cannot send a mail: its recipient is no email address"), { template: event.template });
      const { accountId, language, params, sealed, notAfter } = event;
      // In a fixed order: what comes back from the database may list its keys in another.
      const params_ = Object.entries(params).sort(([one], [other]) => (one < other ? -1 : 1));
      const identity = [event.template, recipient.value, language, params_, sealed, notAfter, accountId];
      const latest = accountId === undefined ? new Date(now().getTime() + UNOWNED_VALID_MS) : undefined;
      const delivery = newDelivery({
        id: newId(),
        host: hostOf(deps.publicUrl),
        subject: `mail:${hashToken(JSON.stringify(identity))}`,
        recipient,
        accountId,
        language,
        about: { kind: event.template, params },
        sealed,
        notAfter: notAfter === undefined ? latest : new Date(notAfter),
        now: now(),
      });
      await transaction((store) => store.deliveries.addMissing([delivery]));
    },
  };
}
