import type { EventOf } from "../events/catalogue.ts";
import type { AlertRoute } from "../shared/contacts.ts";
import { contactEnsurer, hostOf, ownAddress } from "./address_book.ts";
import { canonical, sameAddress } from "./contact.ts";
import { cancelled, held, newDelivery, objection } from "./delivery.ts";
import type { About, Account, Contact, Delivery, NotificationDeps, NotificationStore } from "./ports.ts";

type Told = { subject: string; about: About; route: AlertRoute; account: Account };

/** Puts messages to an account's contacts into the ledger. Whatever is repeated finds its rows there already. */
export function contactQueue(deps: NotificationDeps) {
  const { senders, newId, now } = deps;
  const ensureContacts = contactEnsurer(deps);
  const host = hostOf(deps.publicUrl);

  function deliveryTo(contact: Contact, { subject, about, route }: Told, lastResort: boolean): Delivery {
    const { accountId, language } = route;
    const delivery = newDelivery({
      id: newId(),
      host,
      subject,
      about,
      recipient: contact,
      contactId: contact.id,
      accountId,
      language,
      now: now(),
    });
    const refusal = objection(delivery, contact, lastResort);
    if (!refusal) return delivery;
    return "held" in refusal ? held(delivery, refusal.held) : cancelled(delivery, refusal.cancelled, now());
  }

  const isUsable = ({ state, channel }: Contact) =>
    state === "active" || (state === "unconfirmed" && senders[channel] !== undefined);

  /** One message to the account's own address, for want of any other. */
  async function queueLastResort(store: NotificationStore, told: Told): Promise<void> {
    const own = ownAddress(told.account);
    if (!own) return;
    const { accountId, language } = told.route;
    const contacts = await ensureContacts(store, { accountId, account: told.account, language, addresses: [own] });
    await store.deliveries.addMissing(contacts.map((contact) => deliveryTo(contact, told, true)));
  }

  return {
    queueLastResort,

    /** One message to each contact of the route, and to the account itself when none of them can be told. */
    async queueToContacts(store: NotificationStore, told: Told): Promise<void> {
      if ((await store.deliveries.listBySubject(told.subject)).length > 0) return;
      const { accountId, language, contacts: addresses } = told.route;
      const contacts = await ensureContacts(store, { accountId, account: told.account, language, addresses });
      const own = ownAddress(told.account);
      const reachable = contacts.some(isUsable);
      // With nobody else left, the account's own address gets its turn below, broken or not.
      const others = reachable ? contacts : contacts.filter((contact) => !own || !sameAddress(contact, own));
      await store.deliveries.addMissing(others.map((contact) => deliveryTo(contact, told, false)));
      if (!reachable) await queueLastResort(store, told);
    },
  };
}

export function queue(deps: NotificationDeps) {
  const { transaction, alertRoutes, accounts, hashToken, newId, now, report } = deps;
  const { queueToContacts } = contactQueue(deps);

  /** Where alerts of these associations go; those that are gone, or whose account is, have no entry. */
  async function routesOf(associationIds: string[]): Promise<Map<string, { route: AlertRoute; account: Account }>> {
    const routes = await alertRoutes.of([...new Set(associationIds)]);
    const known = new Map<string, Account>();
    for (const accountId of new Set(routes.map((route) => route.accountId))) {
      const account = await accounts.of(accountId);
      if (account) known.set(accountId, account);
    }
    return new Map(
      routes.flatMap((route) => {
        const account = known.get(route.accountId);
        return account ? [[route.associationId, { route, account }] as const] : [];
      }),
    );
  }

  return {
    /** One message per alert and contact. */
    async onAlertsRaised({ alerts }: EventOf<"breaches.alertsRaised">): Promise<void> {
      const routes = await routesOf(alerts.map(({ associationId }) => associationId));
      await transaction(async (store) => {
        for (const { alertId, associationId } of alerts) {
          const known = routes.get(associationId);
          if (known)
            await queueToContacts(store, {
              ...known,
              subject: `alert:${alertId}`,
              about: { kind: "alert", associationId, alertId },
            });
        }
      });
    },

    /** One report of the first check per contact, also when it found nothing. */
    async onBaselineReady({ associationId, alertIds }: EventOf<"breaches.baselineReady">): Promise<void> {
      const known = (await routesOf([associationId])).get(associationId);
      if (!known) return;
      const about: About = { kind: "report", associationId, alertIds };
      await transaction((store) => queueToContacts(store, { ...known, subject: `report:${associationId}`, about }));
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
      const delivery = newDelivery({
        id: newId(),
        host: hostOf(deps.publicUrl),
        subject: `mail:${hashToken(JSON.stringify(identity))}`,
        recipient,
        accountId,
        language,
        about: { kind: event.template, params },
        sealed,
        notAfter: notAfter === undefined ? undefined : new Date(notAfter),
        now: now(),
      });
      await transaction((store) => store.deliveries.addMissing([delivery]));
    },
  };
}
