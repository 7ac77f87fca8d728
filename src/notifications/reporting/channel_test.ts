import type { Tested } from "../../shared/connection_test.ts";
import type { Channel } from "../../shared/contacts.ts";
import { hostOf } from "../contacts/address_book.ts";
import { attempts } from "../delivery/attempt.ts";
import { newDelivery } from "../delivery/delivery.ts";
import { messageOf, testContent } from "../messages/message.ts";
import type { NotificationDeps } from "../ports.ts";
import { causeOf, testedOf } from "./test_cause.ts";

/** For staff: one test message past the queue, so that its answer is known at once and no alert waits for it. */
export function channelTests(deps: NotificationDeps) {
  const { transaction, accounts, senders, translate, publicUrl, newId, now } = deps;
  const { send } = attempts(deps);

  return {
    causeOfTrouble: causeOf,

    /** Mail goes to the account's own address, everything else to its oldest confirmed contact. */
    async tryChannel(channel: Channel, accountId: string): Promise<Tested> {
      if (senders[channel] === undefined) return "off";
      const account = await accounts.of(accountId);
      if (account === undefined) return "no_contact";
      const contacts = await transaction((store) => store.contacts.list(accountId));
      const [contact] = contacts
        .filter((one) => one.channel === channel && one.state === "active")
        .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
      const recipient = channel === "email" ? { channel, value: account.email } : contact;
      if (recipient === undefined) return "no_contact";
      const { language } = account;
      const id = newId();
      const parts = { id, host: hostOf(publicUrl), subject: `test:${id}`, recipient, language, accountId };
      const delivery = newDelivery({ ...parts, about: { kind: "test" }, now: now() });
      const message = messageOf(delivery, testContent({ language, translate, publicUrl }));
      const { chatId, settings } = contact ?? {};
      const device = settings?.device;
      const to = { ...message.to, ...(chatId !== undefined && { chatId }), ...(device !== undefined && { device }) };
      return testedOf(await send({ ...message, to }));
    },
  };
}
