import type { Mac } from "../../shared/secrets.ts";
import { canBeStopped } from "../delivery/delivery.ts";
import type { Delivery, NotificationDeps, NotificationStore } from "../ports.ts";
import { ownAddress } from "./address_book.ts";
import { change, refused, sameAddress } from "./contact.ts";

const DAY_MS = 24 * 3_600_000;
/** Mail servers try for up to five days before they give up. */
const VALID_MS = 7 * DAY_MS;
/** Keeps the local part of an address within its 64 characters. */
const TAG_LENGTH = 16;

/** What a mail server says of a mail that it could not deliver after all (RFC 3464); `status` is its enhanced code. */
export type Bounce = { token: string; status: string; diagnostic: string };

/** Names a delivery in the envelope sender of its mail, where bounces go. */
export function bounceToken(mac: Mac, deliveryId: string): string {
  const id = Buffer.from(deliveryId.replaceAll("-", ""), "hex").toString("hex");
  // Mail servers may change the case of a local part.
  const tag = Buffer.from(mac("bounce", id), "base64url").toString("hex").slice(0, TAG_LENGTH);
  return `${id}.${tag}`;
}

function deliveryIdOf(mac: Mac, token: string): string | undefined {
  const [hex = ""] = token.toLowerCase().split(".");
  if (!/^[0-9a-f]{32}$/.test(hex)) return undefined;
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  return bounceToken(mac, id) === token.toLowerCase() ? id : undefined;
}

/** For good: there is no such mailbox. A route that cannot be found (5.4.4) often can be, later. */
function isPermanent(status: string): boolean {
  return /^5\.\d{1,3}\.\d{1,3}$/.test(status) && status !== "5.4.4";
}

/** Mails that come back after they were accepted. */
export function bounces({ transaction, accounts, mac, newId, now }: NotificationDeps) {
  async function isOwn(delivery: Delivery): Promise<boolean> {
    const account = delivery.accountId === undefined ? undefined : await accounts.of(delivery.accountId);
    const own = account && ownAddress(account);
    return own !== undefined && sameAddress(own, delivery.recipient);
  }

  async function keep({ deliveries }: NotificationStore, { id }: Delivery, detail: string): Promise<void> {
    const at = now();
    const attempt = newId();
    const begun = {
      id: attempt,
      deliveryId: id,
      startedAt: at,
      endedAt: undefined,
      outcome: undefined,
      detail: undefined,
    };
    await deliveries.startAttempt(begun);
    await deliveries.endAttempt(attempt, { endedAt: at, outcome: "dead", detail: detail.slice(0, 300) });
  }

  return {
    /**
     * Switches the contact off, and has its message told to somebody else; the account's own address is never switched
     * off, as there is nobody else left to tell. False for what is none of our mails, too old, or only temporary.
     */
    async onBounce({ token, status, diagnostic }: Bounce): Promise<boolean> {
      const id = deliveryIdOf(mac, token);
      if (id === undefined || !isPermanent(status)) return false;
      const found = await transaction(({ deliveries }) => deliveries.find(id));
      if (found?.state !== "sent" || !found.endedAt) return false;
      if (now().getTime() - found.endedAt.getTime() > VALID_MS) return false;
      const own = await isOwn(found);
      return transaction(async (store) => {
        // Only what tells of alerts is told to somebody else; a link is for its one reader.
        const retold = !own && found.contactId !== undefined && canBeStopped(found);
        if (!(await store.deliveries.returnSent(id, retold ? "due" : "dead", now()))) return false;
        await keep(store, found, `${status} ${diagnostic}`);
        if (found.contactId !== undefined && !own)
          await change(store.contacts, found.contactId, (contact) => refused(contact, now(), true));
        return true;
      });
    },
  };
}
