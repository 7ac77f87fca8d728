import { fail, ok, type Result } from "../../shared/result.ts";
import { CONTACTS_PER_ACCOUNT, change, newContact } from "../contacts/contact.ts";
import { type ContactView, contactViews } from "../contacts/contact_list.ts";
import type { DeviceInput, SeenInput } from "../inputs.ts";
import type { Contact, NotificationDeps } from "../ports.ts";
import { seenMark } from "./seen_mark.ts";
import { deviceValue, subscriptionOf } from "./subscription.ts";

/** Browsers that get notifications by Web Push. */
export function pushDevices(deps: NotificationDeps) {
  const { transaction, senders, contactAdoption, mac, cipher, newId, now } = deps;
  const { showContact } = contactViews(deps);

  function endpointOf({ settings: { secret } }: Contact): string | undefined {
    return secret === undefined ? undefined : subscriptionOf(cipher.decrypt(secret))?.endpoint;
  }

  return {
    /** The key that browsers subscribe with. */
    async pushKey(): Promise<Result<{ key: string }, "NOT_FOUND">> {
      const key = await senders.webpush?.publicKey?.();
      return key === undefined ? fail("NOT_FOUND") : ok({ key });
    },

    /**
     * Stores a browser's subscription. A browser that is connected already, or that replaces the device `contactId`, keeps its
     * contact; if the push service has ended its subscription, it has to subscribe again. There is nothing to confirm: the browser's owner has just allowed it, and an address that is no push service
     * ends the contact with its first answer.
     */
    async connectDevice(
      accountId: string,
      { name, endpoint, p256dh, auth, contactId, language, everywhere }: DeviceInput,
    ): Promise<Result<ContactView, "NOT_FOUND" | "CONTACT_LIMIT_REACHED" | "PUSH_SUBSCRIPTION_ENDED">> {
      if (!senders.webpush) return fail("NOT_FOUND");
      const secret = cipher.encrypt(JSON.stringify({ endpoint, p256dh, auth }));
      const subscribed = (contact: Contact): Contact => ({
        ...contact,
        label: name,
        state: "active",
        confirmedAt: contact.confirmedAt ?? now(),
        refusedAt: undefined,
        settings: { ...contact.settings, secret },
      });
      const connected = await transaction(async ({ contacts, deliveries }) => {
        const devices = (await contacts.listLocked([accountId])).filter(({ channel }) => channel === "webpush");
        const same = devices.find((device) => endpointOf(device) === endpoint);
        if (same?.state === "broken") return fail("PUSH_SUBSCRIPTION_ENDED");
        const known = same ?? devices.find(({ id }) => id === contactId);
        if (known) {
          await change(contacts, known.id, subscribed);
          await deliveries.releaseHeld("unconfirmed", known.id, now());
          return ok(known);
        }
        const address = { channel: "webpush" as const, value: deviceValue(name, mac("push_device", endpoint)) };
        const added = subscribed(newContact({ id: newId(), accountId, address, language, own: true, now: now() }));
        return (await contacts.add(added, CONTACTS_PER_ACCOUNT)) ? ok(added) : fail("CONTACT_LIMIT_REACHED");
      });
      if (!connected.ok) return connected;
      const { id, channel, value } = connected.value;
      if (everywhere) await contactAdoption.by(accountId, { channel, value });
      return showContact(accountId, id);
    },

    /** The button "Seen" on a notification. An unknown mark changes nothing. */
    async markPushSeen({ delivery, mark }: SeenInput): Promise<Result<Record<string, never>>> {
      if (mark === seenMark(mac, delivery)) await transaction(({ receipts }) => receipts.acknowledge(delivery, now()));
      return ok({});
    },
  };
}
