import { statusOf } from "./association.ts";
import type { TrackingDeps } from "./ports.ts";

/** The data that this module holds on an account. */
export function records({ transaction }: TrackingDeps) {
  return {
    countOf: (accountId: string): Promise<number> =>
      transaction(({ associations }) => associations.countByAccount(accountId)),

    /** For the account's data export. */
    recordsOf(accountId: string) {
      return transaction(async ({ associations }) => {
        const all = await associations.listByAccount(accountId);
        return { associations: all.map((association) => ({ ...association, status: statusOf(association) })) };
      });
    },
  };
}
