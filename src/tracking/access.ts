import { type ConsentScope, FULL_SCOPE } from "../shared/consent.ts";
import { normaliseEmail } from "../shared/email_address.ts";
import { isId } from "../shared/id.ts";
import { fail, ok, type Result } from "../shared/result.ts";
import { type Association, type AssociationStatus, statusOf } from "./association.ts";
import type { TrackingDeps } from "./ports.ts";

export type MonitoringRefusal = "MONITORING_NOT_AUTHORISED" | "MONITORING_SUSPENDED" | "INVITATION_PENDING";

/** What an account may see of one address. */
export type Monitored = {
  address: string;
  /** The account's own association, or, for a tracked person, that of the account that tracks it. */
  associationId: string;
  /** The account that manages the tracking. */
  managerId: string;
  scope: ConsentScope;
  status: AssociationStatus;
  /** Since when it is tracked. */
  since: Date;
};

/** The route guards of the specification. */
export function access({ transaction, planGate, ownAddress }: TrackingDeps) {
  /** The account's own association comes first; then, for its own proven address, that of another account. */
  async function monitored(accountId: string, typed: string): Promise<Result<Monitored, MonitoringRefusal>> {
    const address = normaliseEmail(typed);
    if (address === undefined) return fail("MONITORING_NOT_AUTHORISED");
    const isOwn = (await ownAddress.of(accountId)) === address;
    return transaction(async ({ associations }) => {
      const mine = await associations.findByAddress(accountId, address);
      if (mine?.consent !== undefined && mine.consent !== "pending")
        return mine.suspended ? fail("MONITORING_SUSPENDED") : ok(viewOf(mine));
      const [other] = isOwn ? await associations.listWatching(address) : [];
      // The owner of an address may see everything known about it.
      if (other) return ok({ ...viewOf(other), scope: FULL_SCOPE });
      return fail(mine ? "INVITATION_PENDING" : "MONITORING_NOT_AUTHORISED");
    });
  }

  return {
    monitored,

    /** Whether the account may track one more address; not with an inactive plan. */
    async canAddMore(accountId: string): Promise<boolean> {
      const { active, cap } = await planGate.of(accountId);
      if (!active || cap === null) return active;
      return (await transaction(({ associations }) => associations.countByAccount(accountId))) < cap;
    },

    /** Foreign and missing associations get the same error. */
    belongs(accountId: string, associationId: string): Promise<Result<undefined, "ACCESS_DENIED">> {
      return transaction(async ({ associations }) => {
        const found = isId(associationId) && (await associations.find(accountId, associationId));
        return found ? ok() : fail("ACCESS_DENIED");
      });
    },

    /** Whether the account may see the monitoring of this address. */
    async mayMonitor(accountId: string, address: string): Promise<Result<undefined, MonitoringRefusal>> {
      const found = await monitored(accountId, address);
      return found.ok ? ok() : found;
    },
  };
}

function viewOf(association: Association): Monitored {
  const { id, accountId, address, scope, createdAt } = association;
  const status = statusOf(association);
  return { address, associationId: id, managerId: accountId, scope, status, since: createdAt };
}
