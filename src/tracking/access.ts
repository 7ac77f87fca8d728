import { normaliseEmail } from "../shared/email_address.ts";
import { isId } from "../shared/id.ts";
import { fail, ok, type Result } from "../shared/result.ts";
import type { TrackingDeps } from "./ports.ts";

/** The specification's questions of route guards. */
export function access({ transaction, planGate }: TrackingDeps) {
  return {
    /** May the account track one more address? An inactive plan may not. */
    async canAddMore(accountId: string): Promise<boolean> {
      const { active, cap } = await planGate.of(accountId);
      if (!active || cap === null) return active;
      return (await transaction(({ associations }) => associations.countByAccount(accountId))) < cap;
    },

    /** A stranger's association and one that does not exist answer alike. */
    belongs(accountId: string, associationId: string): Promise<Result<undefined, "ACCESS_DENIED">> {
      return transaction(async ({ associations }) => {
        const found = isId(associationId) && (await associations.find(accountId, associationId));
        return found ? ok() : fail("ACCESS_DENIED");
      });
    },

    /** May the account see the monitoring of this address? */
    mayMonitor(
      accountId: string,
      address: string,
    ): Promise<Result<undefined, "MONITORING_NOT_AUTHORISED" | "MONITORING_SUSPENDED">> {
      return transaction(async ({ associations }) => {
        const association = await associations.findByAddress(accountId, normaliseEmail(address) ?? "");
        if (association === undefined) return fail("MONITORING_NOT_AUTHORISED");
        return association.suspended ? fail("MONITORING_SUSPENDED") : ok();
      });
    },
  };
}
