import type { Mac } from "../../shared/secrets.ts";
import { isForContacts } from "../delivery/delivery.ts";
import type { Accounts, Delivery, StoreAndClock } from "../ports.ts";
import { ownAddress } from "./address_book.ts";
import { change, refused, sameAddress } from "./contact.ts";

const DAY_MS = 24 * 3_600_000;
/** Mail servers retry for up to five days. */
const VALID_MS = 7 * DAY_MS;
/** Keeps the local part within its limit of 64 characters. */
const TAG_LENGTH = 16;

/** A bounce (RFC 3464); `status` is its enhanced status code. */
export type Bounce = { token: string; status: string; diagnostic: string };

/** Identifies a delivery in the envelope sender of its mail, to which bounces are sent. */
export function bounceToken(mac: Mac, deliveryId: string): string {
  const id = Buffer.from(deliveryId.replaceAll("-", ""), "hex").toString("hex");
  // In hex, as mail servers may change the case of a local part.
  const tag = Buffer.from(mac("bounce", id), "base64url").toString("hex").slice(0, TAG_LENGTH);
  return `${id}.${tag}`;
}

function deliveryIdOf(mac: Mac, token: string): string | undefined {
  const [hex = ""] = token.toLowerCase().split(".");
  if (!/^[0-9a-f]{32}$/.test(hex)) return undefined;
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  return bounceToken(mac, id) === token.toLowerCase() ? id : undefined;
}

/** Whether the mailbox does not exist. A missing route (5.4.4) is often temporary. */
function isPermanent(status: string): boolean {
  return /^5\.\d{1,3}\.\d{1,3}$/.test(status) && status !== "5.4.4";
}

type Needs = StoreAndClock & { accounts: Accounts; mac: Mac; newId: () => string };

/** Mails that bounce after they were accepted. */
export function bounces({ transaction, accounts, mac, newId, now }: Needs) {
  async function isOwn(delivery: Delivery): Promise<boolean> {
    const account = delivery.accountId === undefined ? undefined : await accounts.of(delivery.accountId);
    const own = account && ownAddress(account);
    return own !== undefined && sameAddress(own, delivery.recipient);
  }

  return {
    /**
     * Disables the contact and sends its message to another one. The account's own address is never disabled, as there is no
     * other contact left. False for mails that are not ours or too old, and for temporary errors.
     */
    async onBounce({ token, status, diagnostic }: Bounce): Promise<boolean> {
      const id = deliveryIdOf(mac, token);
      if (id === undefined || !isPermanent(status)) return false;
      const found = await transaction(({ deliveries }) => deliveries.find(id));
      if (found?.state !== "sent" || !found.endedAt) return false;
      if (now().getTime() - found.endedAt.getTime() > VALID_MS) return false;
      const own = await isOwn(found);
      return transaction(async (store) => {
        // Messages to a single person are not sent to another contact; their links are personal.
        const retold = !own && found.contactId !== undefined && isForContacts(found);
        if (!(await store.deliveries.returnSent(id, retold ? "due" : "dead", now()))) return false;
        const detail = `${status} ${diagnostic}`.slice(0, 300);
        const attempt = { deliveryId: id, startedAt: now(), endedAt: now(), outcome: "dead", detail } as const;
        await store.deliveries.addAttempt({ ...attempt, id: newId() });
        if (found.contactId !== undefined && !own)
          await change(store.contacts, found.contactId, (contact) => refused(contact, now(), true));
        return true;
      });
    },
  };
}
