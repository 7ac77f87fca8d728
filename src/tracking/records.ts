import { statusOf } from "./association.ts";
import type { TrackingDeps } from "./ports.ts";

/** What this module knows of one account. */
export function records({ transaction }: TrackingDeps) {
  return {
    countOf: (accountId: string): Promise<number> =>
      transaction(({ associations }) => associations.countByAccount(accountId)),

    /** Everything, for the account's owner to take along. */
    recordsOf(accountId: string) {
      return transaction(async ({ associations }) => {
        const all = await associations.listByAccount(accountId);
        return { associations: all.map((association) => ({ ...association, status: statusOf(association) })) };
      });
    },
  };
}
