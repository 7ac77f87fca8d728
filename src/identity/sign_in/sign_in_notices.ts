import { ipPrefix } from "../../shared/ip_bucket.ts";
import { mailTo } from "../account/owner_mails.ts";
import type { Client, IdentityDeps, IdentityStore, User } from "../ports.ts";
import { countersOf } from "./attempts.ts";

/** Mails about sign-ins to an account's owner. */
export function signInNotices({ mac, now }: Pick<IdentityDeps, "mac" | "now">) {
  const lockCounter = ({ attempts }: IdentityStore) => countersOf(attempts, mac, now());

  return {
    /** A sign-in from an unknown browser. The account's first sign-in is not reported. */
    async tellOfNewDevice(store: IdentityStore, user: User, { ip, device = {} }: Client): Promise<void> {
      if (user.verifiedAt === undefined) return;
      const params = { at: now().toISOString(), ...device, ipPrefix: ipPrefix(ip) };
      await store.events.publish(mailTo(user, { template: "new_sign_in", params }));
    },

    /** Somebody who knows the password fails at the second step. Reported with the first lock of an attack, not hourly. */
    async tellOfLock(store: IdentityStore, user: User): Promise<void> {
      // An unproven mailbox has no known owner: it gets codes within its mail limit, and nothing else.
      if (user.verifiedAt === undefined) return;
      if ((await lockCounter(store).count("lockMail", user.id)) > 0) return;
      await store.events.publish(mailTo(user, { template: "code_locked", params: { at: now().toISOString() } }));
    },
  };
}
