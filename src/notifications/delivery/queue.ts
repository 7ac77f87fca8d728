import type { EventOf } from "../../events/catalogue.ts";
import { inGroups, together } from "../../shared/batching.ts";
import type { AlertRoute } from "../../shared/contacts.ts";
import type { HashToken } from "../../shared/secrets.ts";
import { type ContactEnsurer, ownAddress } from "../contacts/address_book.ts";
import { canonical, DAY_MS, sameAddress } from "../contacts/contact.ts";
import type {
  About,
  Accounts,
  AlertAudience,
  AlertRoutes,
  Contact,
  Delivery,
  NotificationStore,
  Report,
  StoreAndClock,
} from "../ports.ts";
import { type SeveralAlerts, toldTogether } from "./alert_grouping.ts";
import { type MakeDelivery, priorityOf, suppressed } from "./delivery.ts";

/** How long a mail without an account waits at most, as its row would outlive everything else about its reader. */
const UNOWNED_VALID_MS = 3 * DAY_MS;
/** About the time of sending one message: the spacing of one account's queue positions. */
const SPACING_MS = 100;

/** The largest number of associations whose messages are queued in one transaction. */
const MOST_TOGETHER = 500;

/** A message for the contacts of one association. */
type Telling = { subject: string; about: About };
type News = AlertAudience & { tellings: Telling[] };

type ContactNeeds = {
  makeDelivery: MakeDelivery;
  ensureContacts: ContactEnsurer["ensureContacts"];
  now: () => Date;
};

export type ContactQueue = ReturnType<typeof contactQueue>;

/** Queues messages to an account's contacts. Idempotent: repetitions find their rows. */
export function contactQueue({ makeDelivery, ensureContacts, now }: ContactNeeds) {
  function deliveryTo(
    contact: Contact,
    { subject, about }: Telling,
    { language }: AlertRoute,
    { lastResort, turn }: { lastResort: boolean; turn: Date },
  ): Delivery {
    const { id: contactId, accountId } = contact;
    const delivery = makeDelivery({ subject, about, recipient: contact, contactId, accountId, language, turn });
    return suppressed(delivery, contact, { lastResort, now: now() }) ?? delivery;
  }

  function messageOf({ subject, recipient, contactId, accountId, language, turn }: Delivery, alerts: SeveralAlerts) {
    const about: About = { kind: "alerts", alerts };
    // Named after its first part, which is sent only once.
    return makeDelivery({ subject: `alerts:${subject}`, about, recipient, contactId, accountId, language, turn });
  }

  /** Active, or asked and still able to confirm. */
  const isUsable = ({ state, confirmExpiresAt }: Contact) =>
    state === "active" || (state === "unconfirmed" && confirmExpiresAt !== undefined && confirmExpiresAt > now());

  /** Queues to the account's own address if there is no other contact. */
  async function queueLastResort(
    store: NotificationStore,
    { route, account }: AlertAudience,
    tellings: Telling[],
  ): Promise<void> {
    const own = ownAddress(account);
    if (!own) return;
    const contacts = await ensureContacts(store, { ...route, account, addresses: [own] });
    const list = contacts.flatMap((contact) =>
      tellings.map((telling) => ({
        contact,
        delivery: deliveryTo(contact, telling, route, { lastResort: true, turn: now() }),
      })),
    );
    await store.deliveries.addMissing(toldTogether(list, messageOf));
  }

  /**
   * Spaces the queue positions of each account's messages, so that many of them do not delay another account's single one (fair
   * queuing).
   */
  async function queuePositionsOf({ deliveries }: NotificationStore, accountIds: string[], about: About) {
    const start = now().getTime();
    const positions = new Map<string, number>();
    for (const [accountId, last] of await deliveries.lastQueuePositions(accountIds, priorityOf(about)))
      positions.set(accountId, Math.max(start, last.getTime() + SPACING_MS));
    return (accountId: string): Date => {
      const position = positions.get(accountId) ?? start;
      positions.set(accountId, position + SPACING_MS);
      return new Date(position);
    };
  }

  return {
    queueLastResort,

    /** One message to each contact of the routes, and to the account itself when none of a route's contacts can be reached. */
    async queueToContacts(store: NotificationStore, all: News[]): Promise<void> {
      const subjects = all.flatMap(({ tellings }) => tellings.map(({ subject }) => subject));
      const told = new Set(await store.deliveries.listKnownSubjects(subjects));
      const news = all.flatMap(({ tellings, ...rest }) => {
        const [first, ...more] = tellings.filter(({ subject }) => !told.has(subject));
        return first ? { ...rest, first, tellings: [first, ...more] } : [];
      });
      const [some] = news;
      if (!some) return;
      const accountIds = [...new Set(news.map(({ route }) => route.accountId))];
      const places = news.flatMap(({ route: { accountId, contacts } }) =>
        contacts.flatMap((address) => ({ accountId, ...(canonical(address) ?? address) })),
      );
      const known = Map.groupBy(await store.contacts.lockAt(places), ({ accountId }) => accountId);
      const positionOf = await queuePositionsOf(store, accountIds, some.first.about);
      const list: { delivery: Delivery; contact: Contact }[] = [];
      const unheard: News[] = [];
      for (const { route, account, tellings } of news) {
        const { accountId, contacts: addresses } = route;
        const contacts = await ensureContacts(store, {
          ...route,
          account,
          addresses,
          known: known.get(accountId) ?? [],
        });
        const own = ownAddress(account);
        const reachable = contacts.some(isUsable);
        if (!reachable) unheard.push({ route, account, tellings });
        // If no contact is left, the account's own address is used below, broken or not.
        const others = reachable ? contacts : contacts.filter((contact) => !own || !sameAddress(contact, own));
        for (const telling of tellings) {
          const turn = positionOf(accountId);
          for (const contact of others)
            list.push({ contact, delivery: deliveryTo(contact, telling, route, { lastResort: false, turn }) });
        }
      }
      await store.deliveries.addMissing(toldTogether(list, messageOf));
      for (const { tellings, ...told } of unheard) await queueLastResort(store, told, tellings);
    },
  };
}

type Needs = StoreAndClock & {
  alertRoutes: AlertRoutes;
  accounts: Accounts;
  makeDelivery: MakeDelivery;
  queueToContacts: ContactQueue["queueToContacts"];
  hashToken: HashToken;
  report: Report;
};

export function queue(needs: Needs) {
  const { transaction, alertRoutes, accounts, makeDelivery, queueToContacts, hashToken, now, report } = needs;

  /** The recipients of these associations' alerts, without deleted associations and accounts. */
  async function toldOf(associationIds: string[]): Promise<AlertAudience[]> {
    const routes = await alertRoutes.of([...new Set(associationIds)]);
    const found = await accounts.listOf([...new Set(routes.map(({ accountId }) => accountId))]);
    const known = new Map(found.map((account) => [account.id, account]));
    return routes.flatMap((route) => {
      const account = known.get(route.accountId);
      return account ? [{ route, account }] : [];
    });
  }

  /** Queues a message for each of these, to the contacts of its association. A repeated event adds only what is missing. */
  async function tell<One extends { associationId: string }>(
    list: One[],
    tellingOf: (one: One) => Telling,
  ): Promise<void> {
    const listOf = Map.groupBy(list, ({ associationId }) => associationId);
    const news = (await toldOf([...listOf.keys()])).map((told) => ({
      ...told,
      tellings: (listOf.get(told.route.associationId) ?? []).map(tellingOf),
    }));
    await inGroups(news, MOST_TOGETHER, (some) => transaction((store) => queueToContacts(store, some)));
  }

  /** Batches mails requested in the same tick into one statement. */
  const add = together(async (some: Delivery[]) => {
    await transaction((store) => store.deliveries.addMissing(some));
    return some;
  });

  return {
    /** One message per alert and contact; another one each time that the breach is found under another alias. */
    onAlertsRaised({ alerts }: EventOf<"breaches.alertsRaised">): Promise<void> {
      return tell(alerts, ({ alertId, associationId, again }) => ({
        subject: again === undefined ? `alert:${alertId}` : `alert:${alertId}:again:${again}`,
        about: { kind: "alert", associationId, alertId },
      }));
    },

    /** One message per alert, change and contact. */
    onAlertsWorsened({ alerts, changeId }: EventOf<"breaches.alertsWorsened">): Promise<void> {
      return tell(alerts, ({ alertId, associationId }) => ({
        subject: `alert:${alertId}:${changeId}`,
        about: { kind: "worse", associationId, alertId, changeId },
      }));
    },

    /** One reminder per letter and contact. */
    onLetterDue(event: EventOf<"breaches.letterDue">): Promise<void> {
      return tell([event], ({ associationId, letterId, sentOn, dueOn }) => ({
        subject: `letter:${letterId}`,
        about: { kind: "letter_due", params: { associationId, sentOn, dueOn } },
      }));
    },

    /** One message per contact of the administrator, for each time that there is something new. */
    onDomainFindings(event: EventOf<"domains.findingsRaised">): Promise<void> {
      const { domainId, domain, findings, addresses, at, drill } = event;
      const params = { id: domainId, domain, findings: String(findings), addresses: String(addresses) };
      return tell([{ associationId: domainId }], () => ({
        subject: `domain:${domainId}:${at}${drill ? ":drill" : ""}`,
        about: { kind: "domain_findings", params: { ...params, ...(drill && { drill: "yes" }) } },
      }));
    },

    /** Deletes all deliveries of the fire drill. */
    onDrillEnded({ accountId, alertId }: EventOf<"breaches.drillEnded">): Promise<void> {
      return transaction(({ deliveries }) => deliveries.removeByAlert(accountId, alertId));
    },

    /** One report of the first check per contact, even without findings. */
    onBaselineReady(event: EventOf<"breaches.baselineReady">): Promise<void> {
      return tell([event], ({ associationId, alertIds }) => ({
        subject: `report:${associationId}`,
        about: { kind: "report", associationId, alertIds },
      }));
    },

    /** A mail of another module, such as a sign-in code. */
    async onMailRequested(event: EventOf<"mail.requested">): Promise<void> {
      const recipient = canonical({ channel: "email", value: event.to });
      if (!recipient)
        return report(new Error("Cannot send a mail: its recipient is no email address"), { template: event.template });
      const { accountId, language, params, sealed, notAfter } = event;
      // In a fixed order, as the database may return the keys in another one.
      const sorted = Object.entries(params).sort(([one], [other]) => (one < other ? -1 : 1));
      const identity = [event.template, recipient.value, language, sorted, sealed, notAfter, accountId];
      const latest = accountId === undefined ? new Date(now().getTime() + UNOWNED_VALID_MS) : undefined;
      const delivery = makeDelivery({
        subject: `mail:${hashToken(JSON.stringify(identity))}`,
        recipient,
        accountId,
        language,
        about: { kind: event.template, params },
        sealed,
        notAfter: notAfter === undefined ? latest : new Date(notAfter),
      });
      await add(delivery);
    },
  };
}
