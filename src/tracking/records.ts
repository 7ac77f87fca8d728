import { statusOf } from "./association.ts";
import type { TrackingDeps } from "./ports.ts";

/** The data that this module holds on an account. */
export function records({ transaction }: TrackingDeps) {
  return {
    countOf: (accountId: string): Promise<number> =>
      transaction(({ associations }) => associations.countByAccount(accountId)),

    /** The addresses of those of these associations that belong to the account, by the association's id. */
    async addressesOf(accountId: string, ids: string[]): Promise<Map<string, string>> {
      const found = await transaction(({ associations }) => associations.listByIds(ids));
      const own = found.filter((association) => association.accountId === accountId);
      return new Map(own.map(({ id, address }) => [id, address]));
    },

    /** For the account's data export. */
    recordsOf(accountId: string) {
      return transaction(async ({ associations, aliases }) => {
        const all = await associations.listByAccount(accountId);
        const further = await aliases.listByAccount(accountId);
        return {
          associations: all.map((association) => ({ ...association, status: statusOf(association) })),
          aliases: further.map(({ tokenHash: _, ...alias }) => alias),
        };
      });
    },
  };
}
