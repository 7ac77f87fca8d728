import { fail, ok, type Result } from "../../shared/result.ts";
import type { HashToken, Mac } from "../../shared/secrets.ts";
import type { Contact, ContactState, NotificationStore, StoreAndClock } from "../ports.ts";
import type { SummaryLinks } from "../summaries/summary_link.ts";
import { change, confirmed, type LinkFacts, masked, resubscribed, unsubscribed } from "./contact.ts";

/** Never expires and needs no row, as it only permits to stop and resume messages. */
export function unsubscribeToken(mac: Mac, contactId: string): string {
  return `v1.${contactId}.${mac("unsubscribe", contactId)}`;
}

type Needs = StoreAndClock & { hashToken: HashToken; mac: Mac; summaryLinks: SummaryLinks };

export function contactLinks({ transaction, hashToken, mac, summaryLinks, now }: Needs) {
  function contactIdOf(token: string): string | undefined {
    const id = token.split(".")[1];
    // Compares hashes, as comparing tokens directly would leak through timing how much of a guess is right.
    const genuine = id !== undefined && hashToken(unsubscribeToken(mac, id)) === hashToken(token);
    return genuine ? id : undefined;
  }

  async function findByConfirmToken({ contacts }: NotificationStore, token: string): Promise<Contact | undefined> {
    const contact = await contacts.findByConfirmHash(hashToken(token));
    if (!contact) return undefined;
    const open = contact.confirmExpiresAt !== undefined && now() < contact.confirmExpiresAt;
    return open || contact.confirmedAt ? contact : undefined;
  }

  async function findByUnsubscribeToken({ contacts }: NotificationStore, token: string): Promise<Contact | undefined> {
    const id = contactIdOf(token);
    return id === undefined ? undefined : contacts.find(id);
  }

  async function changeByToken(
    token: string,
    rule: (contact: Contact) => Contact,
  ): Promise<Result<{ state: ContactState }, "LINK_INVALID">> {
    const state = await summaryLinks.setWanted(token, rule === resubscribed);
    if (state) return ok({ state });
    return transaction(async (store) => {
      const found = await findByUnsubscribeToken(store, token);
      const changed = found && (await change(store.contacts, found.id, rule));
      return changed ? ok({ state: changed.state }) : fail("LINK_INVALID");
    });
  }

  return {
    /** The subject of a link, read-only. */
    async inspectLink(token: string): Promise<Result<LinkFacts, "LINK_INVALID">> {
      const link = await summaryLinks.inspect(token);
      if (link) return ok(link);
      return transaction(async (store) => {
        const confirming = await findByConfirmToken(store, token);
        const contact = confirming ?? (await findByUnsubscribeToken(store, token));
        if (!contact) return fail("LINK_INVALID");
        const { channel, state, language } = contact;
        const purpose = confirming ? "confirm" : "unsubscribe";
        return ok({ purpose, channel, value: masked(contact), state, language });
      });
    },

    /** Confirms the contact by its owner, and releases the alerts that were waiting for this. */
    confirm(token: string): Promise<Result<{ state: ContactState }, "LINK_INVALID">> {
      return transaction(async (store) => {
        const found = await findByConfirmToken(store, token);
        const contact = found && (await change(store.contacts, found.id, (stored) => confirmed(stored, now())));
        if (!contact) return fail("LINK_INVALID");
        if (contact.state === "active") await store.deliveries.releaseHeld("unconfirmed", contact.id, now());
        return ok({ state: contact.state });
      });
    },

    /** Stops alerts and reports to this contact, or monthly summaries. */
    unsubscribe: (token: string) => changeByToken(token, unsubscribed),

    resubscribe: (token: string) => changeByToken(token, resubscribed),
  };
}
