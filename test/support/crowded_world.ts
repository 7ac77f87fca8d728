import type { Adapters } from "../../src/adapter_types.ts";
import type { Alert } from "../../src/breaches/alerts/alert_ports.ts";
import type { Contact, Delivery, Message, Outcome } from "../../src/notifications/ports.ts";
import { CHANNELS, type Channel, type ContactAddress } from "../../src/shared/contacts.ts";
import { aBreach } from "./builders.ts";
import { MINUTE } from "./clock.ts";
import { adaptersOn, composed, type Ground, memoryGround, type Step, settle, signedUp } from "./world.ts";

export const PEOPLE = ["alice@example.com", "bob@example.net"] as const;
type Person = (typeof PEOPLE)[number];
const STOPPED = "no-more@example.org";
/** An unknown Pushover key. */
const REFUSED = "r".repeat(30);

const OLD = aBreach({ name: "Old", dataClasses: ["Email addresses"] });
const TRIFLE = aBreach({ name: "Trifle", addedDate: "2026-11-20T11:00:00Z", dataClasses: ["Email addresses"] });
const PHONES = aBreach({ name: "Phones", addedDate: "2026-11-20T11:10:00Z", dataClasses: ["Phone numbers"] });
const PHRASES = aBreach({ name: "Phrases", addedDate: "2026-11-20T11:20:00Z", dataClasses: ["Mnemonic phrases"] });
/** What is found after the first check, and how it is reclassified later. */
export const NEWS = [TRIFLE, PHONES, PHRASES];
export const WORSE = { ...TRIFLE, dataClasses: ["Email addresses", "Passwords"] };
/** Contains none of our addresses; it only shows each process that the catalogue has changed. */
export const OTHER = aBreach({ name: "Other", addedDate: "2026-11-20T13:50:00Z" });

/** Contacts of every channel, with every preference that delays a message. */
const CONTACTS: Record<Person, Partial<Record<Channel, string[]>>> = {
  "alice@example.com": {
    email: ["alice@example.com", STOPPED],
    telegram: ["alice_m"],
    pushover: ["p".repeat(30), REFUSED],
    ntfy: ["alices-topic"],
    webhook: ["https://hooks.example/alice"],
  },
  "bob@example.net": { email: ["bob@example.net"], ntfy: ["bobs-topic"] },
};
const SETTINGS: Record<string, Contact["settings"]> = {
  ["p".repeat(30)]: { digestBelow: "high", digestHour: 15 },
  "alices-topic": { quiet: { from: "12:00", to: "18:00" } },
  "https://hooks.example/alice": { digestBelow: "always", digestHour: 20, quiet: { from: "19:30", to: "21:00" } },
  "bobs-topic": { digestBelow: "always", digestHour: 15 },
};

export type Accepted = Pick<Message, "messageId" | "to" | "facts">;

/** Test world with a provider for each channel that records what it accepted. */
export type Crowded = { ground: Ground; accepted: Accepted[]; newId: () => string };

function adaptersIn({ ground, accepted, newId }: Crowded, step?: Step, sendStep = step): Adapters {
  const adapters = adaptersOn(ground, step);
  const answerOf = ({ messageId, to, facts }: Message): Outcome => {
    if (to.value === REFUSED) return { kind: "dead", cause: "recipient", forGood: true, reason: "no such key" };
    accepted.push({ messageId, to, ...(facts && { facts }) });
    return { kind: "delivered", providerId: messageId };
  };
  for (const channel of CHANNELS) {
    const send = (message: Message) => (sendStep ?? ((work) => work()))(async () => answerOf(message));
    adapters.gateways.senders[channel] = { channel, send };
  }
  adapters.system.newId = newId;
  return adapters;
}

/** One process. Its calls to providers are taken as `sendStep`, all other work as `step`. */
export const crowdedOn = (crowded: Crowded, step?: Step, sendStep = step) =>
  composed(adaptersIn(crowded, step, sendStep));

/** Runs all jobs of one process until there is nothing left to do. */
export async function live(world: ReturnType<typeof crowdedOn>): Promise<void> {
  do {
    await world.breaches.pollCatalogue();
    await settle(world);
  } while ((await world.notifications.gatherDue()) > 0);
}

/** Everybody has consented; one of them has opted out of messages. */
async function agree({ transactionOf, clock }: Ground): Promise<void> {
  await transactionOf((tables) => tables<Contact>("notifications.contact"))(async (rows) => {
    for (const contact of rows.filter()) {
      const state = contact.value === STOPPED ? "unsubscribed" : "active";
      const settings = SETTINGS[contact.value] ?? {};
      rows.set(contact.id, { ...contact, state, confirmedAt: clock.now(), settings });
    }
  });
}

/** Both addresses are monitored, the first check is over, and nothing has crashed yet. */
export async function crowd(newId: () => string): Promise<Crowded> {
  const ground = memoryGround();
  const crowded: Crowded = { ground, accepted: [], newId };
  ground.feed.publish(OLD);
  const world = crowdedOn(crowded);
  await world.breaches.pollCatalogue();
  for (const address of PEOPLE) {
    ground.feed.expose(address, "Old");
    const call = await signedUp(world, address);
    const form = { address, owner: true, language: "en", contacts: CONTACTS[address] };
    const tracked = await call("POST", "/api/associations", form);
    if (!tracked.ok) throw new Error(`Cannot track "${address}": ${await tracked.text()}`);
    await live(world);
  }
  await agree(ground);
  await world.notifications.releaseHeld("unconfirmed");
  ground.clock.pass(10 * MINUTE);
  await live(world);
  return crowded;
}

export const ledgerOf = ({ ground }: Crowded): Promise<Delivery[]> =>
  ground.transactionOf((tables) => tables<Delivery>("notifications.delivery"))(async (rows) => rows.filter());

export const alertsOf = ({ ground }: Crowded, person: Person): Promise<Alert[]> =>
  ground.transactionOf((tables) => tables<Alert>("breaches.alert"))(async (rows) =>
    rows.filter(({ address }) => address === person),
  );

export const contactsOf = (person: Person): ContactAddress[] =>
  CHANNELS.flatMap((channel) => (CONTACTS[person][channel] ?? []).map((value) => ({ channel, value })));

/** Why a contact gets no messages: one has opted out, and one is unknown to its provider. */
export const EXCUSES: Record<string, string[]> = {
  [STOPPED]: ["cancelled unsubscribed"],
  [REFUSED]: ["dead refused", "cancelled contact_broken"],
};
