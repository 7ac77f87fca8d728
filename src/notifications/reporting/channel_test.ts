import type { Tested } from "../../shared/connection_test.ts";
import type { Channel } from "../../shared/contacts.ts";
import type { Transaction } from "../../shared/transaction.ts";
import type { Attempts } from "../delivery/attempt.ts";
import type { MakeDelivery } from "../delivery/delivery.ts";
import { messageOf, testContent } from "../messages/message.ts";
import type { Accounts, NotificationStore, Senders, Texts } from "../ports.ts";
import { causeOf, testedOf } from "./test_cause.ts";

type Needs = Texts & {
  transaction: Transaction<NotificationStore>;
  accounts: Accounts;
  senders: Senders;
  makeDelivery: MakeDelivery;
  send: Attempts["send"];
  newId: () => string;
};

/** For staff: one test message past the queue, so that its answer is known at once and no alert waits for it. */
export function channelTests(needs: Needs) {
  const { transaction, accounts, senders, makeDelivery, send, translate, publicUrl, newId } = needs;

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
      const parts = { subject: `test:${newId()}`, recipient, language, accountId };
      const delivery = makeDelivery({ ...parts, about: { kind: "test" } });
      const message = messageOf(delivery, testContent({ language, translate, publicUrl }));
      const { chatId, settings } = contact ?? {};
      const device = settings?.device;
      const to = { ...message.to, ...(chatId !== undefined && { chatId }), ...(device !== undefined && { device }) };
      return testedOf(await send({ ...message, to }));
    },
  };
}
