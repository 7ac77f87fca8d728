import type { Mac } from "../../shared/secrets.ts";

/** Proves that a notification of this delivery was received, so that its button "Seen" needs no session. */
export function seenMark(mac: Mac, deliveryId: string): string {
  return mac("push_seen", deliveryId);
}
