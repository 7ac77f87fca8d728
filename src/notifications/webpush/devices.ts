import { fail, ok, type Result } from "../../shared/result.ts";
import type { Mac } from "../../shared/secrets.ts";
import { type Connect, connectedValue } from "../contacts/connecting.ts";
import type { ContactView } from "../contacts/contact_list.ts";
import type { DeviceInput, SeenInput } from "../inputs.ts";
import type { Senders, StoreAndClock } from "../ports.ts";
import { seenMark } from "./seen_mark.ts";
import { subscriptionOf } from "./subscription.ts";

type Needs = StoreAndClock & { senders: Senders; mac: Mac; connect: Connect };

/** Browsers that get notifications by Web Push. */
export function pushDevices({ transaction, senders, mac, connect, now }: Needs) {
  return {
    /** The key that browsers subscribe with. */
    async pushKey(): Promise<Result<{ key: string }, "NOT_FOUND">> {
      const key = await senders.webpush?.publicKey?.();
      return key === undefined ? fail("NOT_FOUND") : ok({ key });
    },

    /**
     * Stores a browser's subscription. If the push service has ended it, the browser has to subscribe again. An address that is
     * no push service ends the contact with its first answer.
     */
    async connectDevice(
      accountId: string,
      { name, endpoint, p256dh, auth, ...wanted }: DeviceInput,
    ): Promise<Result<ContactView, "NOT_FOUND" | "CONTACT_LIMIT_REACHED" | "PUSH_SUBSCRIPTION_ENDED">> {
      if (!senders.webpush) return fail("NOT_FOUND");
      return connect(accountId, {
        channel: "webpush",
        label: name,
        secret: JSON.stringify({ endpoint, p256dh, auth }),
        value: connectedValue(name, mac("push_device", endpoint)),
        isSame: (secret) => subscriptionOf(secret)?.endpoint === endpoint,
        refuse: ({ state }) => (state === "broken" ? fail("PUSH_SUBSCRIPTION_ENDED") : undefined),
        contactId: wanted.contactId,
        language: wanted.language,
        everywhere: wanted.everywhere,
      });
    },

    /** The button "Seen" on a notification. An unknown mark changes nothing. */
    async markPushSeen({ delivery, mark }: SeenInput): Promise<Result<Record<string, never>>> {
      if (mark === seenMark(mac, delivery)) await transaction(({ receipts }) => receipts.acknowledge(delivery, now()));
      return ok({});
    },
  };
}
