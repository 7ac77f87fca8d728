import { fail, ok, type Result } from "../shared/result.ts";
import type { Association } from "./association.ts";
import type { TrackInput } from "./inputs.ts";
import type { TrackingDeps } from "./ports.ts";

export type TrackRefusal = "USER_INACTIVE" | "USER_INSUFFICIENT" | "ADDRESS_ALREADY_TRACKED" | "CONSENT_UNAVAILABLE";

/** Starting and ending to watch an address. */
export function track({ transaction, planGate, ownAddress, newId, now }: TrackingDeps) {
  return {
    /** Watches the account's own, proven address at once. Other addresses need their owner's consent first. */
    async track(accountId: string, input: TrackInput): Promise<Result<{ id: string }, TrackRefusal>> {
      const { active, cap } = await planGate.of(accountId);
      if (!active) return fail("USER_INACTIVE");
      const isOwn = (await ownAddress.of(accountId)) === input.address;
      return transaction(async ({ associations, events }) => {
        await associations.lockAccount(accountId);
        if (await associations.findByAddress(accountId, input.address)) {
          return fail("ADDRESS_ALREADY_TRACKED", { fields: { address: "ADDRESS_ALREADY_TRACKED" } });
        }
        if (!isOwn) return fail("CONSENT_UNAVAILABLE", { fields: { address: "CONSENT_UNAVAILABLE" } });
        if (cap !== null && (await associations.countByAccount(accountId)) >= cap) return fail("USER_INSUFFICIENT");
        const association = newAssociation(newId(), accountId, input, now());
        await associations.add(association);
        const { id: associationId, address, language, contacts } = association;
        await events.publish({ type: "tracking.contactsChanged", associationId, accountId, language, contacts });
        await events.publish({ type: "tracking.monitoringStarted", associationId, accountId, address });
        return ok({ id: associationId });
      });
    },

    /** Ends watching and forgets what was found for this association. */
    removeAssociation(accountId: string, id: string): Promise<Result<undefined, "NOT_FOUND">> {
      return transaction(async ({ associations, events }) => {
        const removed = await associations.remove(accountId, id);
        if (removed === undefined) return fail("NOT_FOUND");
        await events.publish({
          type: "tracking.monitoringStopped",
          associationId: id,
          accountId,
          address: removed.address,
        });
        return ok();
      });
    },
  };
}

function newAssociation(id: string, accountId: string, input: TrackInput, now: Date): Association {
  const contacts = input.contacts.email.map((value) => ({ channel: "email" as const, value }));
  return {
    ...{ id, accountId, address: input.address, owner: true, language: input.language, contacts },
    ...{ paused: false, suspended: false, openAlerts: 0, openVersion: 0, createdAt: now },
  };
}
